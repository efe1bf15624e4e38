import { flushSync, untrack } from 'svelte';
import { expect, test } from 'vitest';
import type { Call } from '#contract/methods.ts';
import { Queries } from './queries.svelte.ts';

// A screen asks inside an effect that follows its selection, and it may be left before the answer arrives.
test('an answer that arrives after its screen was left is shown when the screen is opened again', async () => {
  const answer = Promise.withResolvers<unknown>();
  const queries = new Queries((() => answer.promise) as unknown as Call);
  const resource = queries.scope('learnings').resource('capture.moments');
  const selected = $state({ session: 'a' });
  let shown: unknown;
  const openScreen = () => {
    const leave = $effect.root(() => {
      $effect(() => {
        const { session } = selected;
        untrack(() => void resource.ask({ session, limit: 1 }));
      });
      $effect(() => void (shown = resource.value));
    });
    flushSync();
    return leave;
  };
  openScreen()();
  answer.resolve(['kept']);
  await answer.promise;
  const leave = openScreen();
  expect(shown).toEqual(['kept']);
  leave();
});
