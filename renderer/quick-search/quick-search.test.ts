import { expect, test, vi } from 'vitest';
import type { Call } from '#contract/methods.ts';
import { QuickSearchState, textToCopy } from './quick-search.svelte.ts';
import { Queries } from '../query/queries.svelte.ts';

function world() {
  const asked: Record<string, unknown>[] = [];
  const answers: (() => void)[] = [];
  const call = (method: string, input: Record<string, unknown>) => {
    asked.push({ method, ...input });
    return new Promise((resolve) => {
      answers.push(() =>
        resolve({
          hits: Array.from({ length: 12 }, (_, index) => ({
            learning: { id: `${String(input['query'])}-${index}` },
          })),
        }),
      );
    });
  };
  return { search: new QuickSearchState(new Queries(call as unknown as Call)), asked, answers };
}

test('every letter is followed by words alone; once typing pauses, the whole answer takes their place', async () => {
  vi.useFakeTimers();
  const { search, asked, answers } = world();
  search.type('g');
  search.type('gr');
  search.type('grpc');
  const quick = {
    method: 'recall.search',
    global: true,
    limit: 8,
    quiet: true,
    knobs: { RECALL_CACHE: false, RECALL_CROSS_ENCODER: false, RECALL_VECTOR_ARM: false },
  };
  expect(asked).toEqual([{ ...quick, query: 'g' }]);
  answers[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(asked.slice(1), 'of what was typed meanwhile only the last is asked').toEqual([
    { ...quick, query: 'grpc' },
  ]);
  answers[1]?.();
  await vi.advanceTimersByTimeAsync(150);
  expect(asked.slice(2)).toEqual([{ ...quick, query: 'grpc', knobs: {} }]);
  vi.useRealTimers();
});

test('what comes later does not move rows under somebody who chooses among them', async () => {
  const { search, answers } = world();
  search.typed = 'grpc';
  const first = search.ask({});
  answers[0]?.();
  await first;
  const refining = search.refine();
  search.move(1);
  answers[1]?.();
  await refining;
  expect(search.selected?.id).toBe('grpc-1');
  await search.refine();
  expect(answers).toHaveLength(2);
});

test('shows at most eight rows, and never those of an older question', async () => {
  const { search, answers } = world();
  search.typed = 'old';
  const old = search.ask({});
  search.typed = 'new';
  const fresh = search.ask({});
  answers[1]?.();
  await fresh;
  answers[0]?.();
  await old;
  expect(search.rows).toHaveLength(8);
  expect(search.selected?.id).toBe('new-0');
  search.move(-1);
  expect(search.selected?.id).toBe('new-7');
});

test('an empty field shows nothing', async () => {
  const { search, answers } = world();
  search.typed = 'x';
  const asking = search.ask({});
  answers[0]?.();
  await asking;
  search.clear();
  expect(search.rows).toEqual([]);
});

test('copies the rule, else the fix, else the title', () => {
  expect(textToCopy({ rule: 'r', fix: 'f', title: 't' })).toBe('r');
  expect(textToCopy({ rule: '', fix: 'f', title: 't' })).toBe('f');
  expect(textToCopy({ rule: '', fix: '', title: 't' })).toBe('t');
});
