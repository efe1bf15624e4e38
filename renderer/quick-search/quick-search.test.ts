import { expect, onTestFinished, test, vi } from 'vitest';
import type { Call } from '#contract/methods.ts';
import { QuickSearchState, textToCopy } from './quick-search.svelte.ts';
import { Queries } from '../query/queries.svelte.ts';

interface Asked {
  method: string;
  input: Record<string, unknown>;
  /** Of what is recalled, an id that ends with ? is a weak hit. */
  answer(...ids: string[]): void;
}

/** A daemon that answers when it is told to. */
function world() {
  const asked: Asked[] = [];
  const call = (method: string, input: Record<string, unknown>) =>
    new Promise((resolve) => {
      asked.push({
        method,
        input,
        answer: (...ids) =>
          resolve(
            method === 'learnings.list'
              ? { items: ids.map((id) => ({ id })) }
              : method === 'learnings.get'
                ? { id: input['id'], rule: `rule of ${String(input['id'])}` }
                : {
                    hits: ids
                      .map((id) => ({ id: id.replace('?', ''), weak: id.endsWith('?') }))
                      .map(({ id, weak }) => ({ learning: { id, rule: `recalled ${id}` }, weak })),
                  },
          ),
      });
    });
  const search = new QuickSearchState(new Queries(call as unknown as Call));
  const rows = () => search.rows.map(({ id }) => id);
  return { search, asked, rows };
}

test('every letter is followed by what begins as typed; once typing pauses, recall goes before it', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { search, asked, rows } = world();
  search.type('g');
  search.type('gr');
  search.type('grp');
  expect(asked.map(({ input }) => input)).toEqual([{ text: 'g', status: 'active', limit: 8 }]);
  asked[0]?.answer('git', 'grpc');
  await vi.advanceTimersByTimeAsync(0);
  expect(asked[1]?.input, 'of what was typed meanwhile only the last is asked').toMatchObject({
    text: 'grp',
  });
  asked[1]?.answer('grpc', 'grpc-web');
  await vi.advanceTimersByTimeAsync(150);
  expect(rows()).toEqual(['grpc', 'grpc-web']);
  expect(asked[2]).toMatchObject({ method: 'recall.search', input: { query: 'grp', global: true } });
  asked[2]?.answer('protobuf', 'grpc-web');
  await vi.advanceTimersByTimeAsync(0);
  expect(rows()).toEqual(['protobuf', 'grpc-web', 'grpc']);
});

test('a weak hit is marked and comes last, unless it begins as typed', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { search, asked, rows } = world();
  search.type('grp');
  asked[0]?.answer('grpc-web', 'grpc');
  await vi.advanceTimersByTimeAsync(150);
  asked[1]?.answer('tomatoes?', 'grpc?', 'protobuf');
  await vi.advanceTimersByTimeAsync(0);
  expect(rows().map((id) => [id, search.isWeak(id)])).toEqual([
    ['protobuf', false],
    ['grpc-web', false],
    ['grpc', false],
    ['tomatoes', true],
  ]);
});

test('what comes later does not move rows under somebody who chooses among them', async () => {
  const { search, asked, rows } = world();
  search.typed = 'grpc';
  const first = search.ask();
  asked[0]?.answer('one', 'two');
  await first;
  const refining = search.refine();
  await search.move(1);
  asked[1]?.answer('three');
  await refining;
  expect([rows(), search.selected?.id]).toEqual([['one', 'two'], 'two']);
  await search.refine();
  expect(asked).toHaveLength(2);
});

test('a row is read as a whole when it is chosen, unless recall has brought it', async () => {
  const { search, asked } = world();
  search.typed = 'grpc';
  const first = search.ask();
  asked[0]?.answer('one', 'two');
  await first;
  const shown = search.showDetail();
  asked[1]?.answer();
  await shown;
  expect(search.detail?.rule).toBe('rule of one');
  const moved = search.move(1);
  asked[2]?.answer();
  await moved;
  expect(search.detail?.rule).toBe('rule of two');

  search.type('grpc');
  const refining = search.refine();
  asked.at(-1)?.answer('one');
  await refining;
  expect(await search.whole()).toMatchObject({ rule: 'recalled one' });
});

test('Enter before the answer waits for what was typed, and takes no row of fewer letters', async () => {
  const { search, asked } = world();
  search.type('g');
  asked[0]?.answer('git');
  await expect.poll(() => search.selected?.id).toBe('git');
  search.type('grpc');
  const chosen = search.chosen();
  asked.at(-1)?.answer('grpc');
  await expect(chosen).resolves.toMatchObject({ id: 'grpc' });

  search.type('calls that hang');
  const recalled = search.chosen();
  asked.at(-1)?.answer();
  await expect.poll(() => asked.at(-1)?.method).toBe('recall.search');
  asked.at(-1)?.answer('deadline');
  await expect(recalled).resolves.toMatchObject({ id: 'deadline' });
});

test('shows at most eight rows, and never those of an older question', async () => {
  const { search, asked, rows } = world();
  search.typed = 'old';
  const old = search.ask();
  search.typed = 'new';
  const fresh = search.ask();
  asked[1]?.answer(...Array.from({ length: 12 }, (_, index) => `new-${index}`));
  await fresh;
  asked[0]?.answer('old-0');
  await old;
  expect(rows()).toHaveLength(8);
  await search.move(-1);
  expect(search.selected?.id).toBe('new-7');
});

test('an empty field shows the latest, never what was asked for last', async () => {
  const { search, asked, rows } = world();
  search.typed = 'x';
  const asking = search.ask();
  asked[0]?.answer('one');
  await asking;
  search.clear();
  expect(rows()).toEqual([]);
  const loading = search.load();
  expect(asked[1]?.input).toEqual({ status: 'active', limit: 7 });
  asked[1]?.answer('new', 'older');
  await loading;
  expect(rows()).toEqual(['new', 'older']);
  search.type('y');
  expect(rows()).toEqual([]);
});

test('copies the rule, else the fix, else the title', () => {
  expect(textToCopy({ rule: 'r', fix: 'f', title: 't' })).toBe('r');
  expect(textToCopy({ rule: '', fix: 'f', title: 't' })).toBe('f');
  expect(textToCopy({ rule: '', fix: '', title: 't' })).toBe('t');
});
