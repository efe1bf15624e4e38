import { describe, expect, test } from 'vitest';
import { DAY, dateOf } from '../platform/time.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentOf } from '../store/learnings/documents.ts';
import { changeLearning } from '../store/learnings/write.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { given, tempStore } from '../testing/temp-home.ts';
import { NOW, world } from '../testing/world.ts';
import { rescan } from './testing.ts';
import { undo } from './revise.ts';
import { supersede } from './supersede.ts';

const entity = (name: string) => ({ name, type: 'concept' as const });
const WHY = { actor: 'test', kind: 'supersede', reason: 'no longer true' } as const;
const WORDS = { RECALL_VECTOR_ARM: false, RECALL_TEMPORAL_ARM: false };
const ago = (days: number) => dateOf(NOW - days * DAY);

describe('A2 bitemporal edges, end to end', () => {
  /** The gateway used tokens until ten days ago, when a note said that it uses sessions. */
  async function rewritten() {
    const uses = (target: string) => [{ source: 'gateway', target, type: 'uses' as const }];
    const all = await world([
      { title: 'The gateway checks who calls', scope: 'global', entities: [entity('gateway')], daysAgo: 100 },
      {
        title: 'JSON web tokens expire after an hour',
        scope: 'global',
        entities: [entity('JWT')],
        daysAgo: 100,
      },
      {
        title: 'Calls are checked by their token',
        scope: 'global',
        entities: [entity('callers')],
        relations: uses('JWT'),
        daysAgo: 60,
      },
      {
        title: 'Calls are checked by their session',
        scope: 'global',
        entities: [entity('callers')],
        relations: uses('sessions'),
        daysAgo: 10,
      },
    ]);
    const [, , tokens, sessions] = all.learnings;
    supersede({ ...all.store, now: () => NOW - 10 * DAY }, tokens?.id ?? '', sessions?.id ?? '', WHY);
    return { ...all, tokens: tokens?.id ?? '' };
  }

  const JWT = 'JSON web tokens expire after an hour';

  test('A2: a superseded note held until then: a question about that time follows its edges, one about now does not', async () => {
    const { titles } = await rewritten();
    const about = (when: string) =>
      titles({ query: `what did the gateway use between ${when}`, knobs: WORDS });
    expect(await about(`${ago(50)} and ${ago(40)}`)).toContain(JWT);
    expect(await about(`${ago(5)} and ${ago(1)}`)).not.toContain(JWT);
    expect(await about(`${ago(95)} and ${ago(90)}`)).not.toContain(JWT); // before anybody knew
    expect(await titles({ query: 'what does the gateway use', knobs: WORDS })).not.toContain(JWT);
  });

  test('A2: superseding closes the edges and deletes none; they begin when they were learned; undone, they are open again', async () => {
    const { store, tokens } = await rewritten();
    const stored = () =>
      store.db
        .prepare(
          'SELECT valid_from AS start, valid_to AS end FROM relation JOIN learning USING (seq) WHERE learning.id = ?',
        )
        .all(tokens);
    expect(stored()).toEqual([{ start: NOW - 60 * DAY, end: NOW - 10 * DAY }]);
    expect(getLearning(store.db, tokens).relations).toMatchObject([
      { target: 'JWT', validTo: NOW - 10 * DAY },
    ]);
    undo(store, undefined, 'person');
    expect(stored()).toEqual([{ start: NOW - 60 * DAY, end: null }]);
  });

  test('A2: a supersession cycle is refused, however long, and nothing changes', () => {
    const store = tempStore();
    const [one = '', two = '', three = ''] = ['one', 'two', 'three'].map(
      (title) => given(store, { title }).learning.id,
    );
    supersede(store, one, two, WHY);
    supersede(store, two, three, WHY);
    for (const by of [one, two, three])
      expect(() => supersede(store, three, by, WHY)).toThrow(/cannot be superseded by/);
    expect(() => changeLearning(store, three, { supersededBy: one }, WHY)).toThrow(
      expect.objectContaining({ code: 'conflict' }) as Error,
    );
    expect(getLearning(store.db, three)).toMatchObject({ status: 'active', supersededBy: null });
  });

  test('A2: a cycle made by hand is flagged on the file, and the last good version stays', async () => {
    const store = tempStore();
    const [one = '', two = ''] = ['one', 'two'].map((title) => given(store, { title }).learning.id);
    supersede(store, one, two, WHY);
    const file = join(store.documents, documentOf(store.db, two)?.path ?? '');
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('title: two', `title: two\nsuperseded_by: ${one}`),
    );
    await rescan(store);
    expect(getLearning(store.db, two)).toMatchObject({
      supersededBy: null,
      documentProblem: `superseded_by: ${one} is superseded by ${two} itself`,
    });
  });
});
