import { contentWords, withParts } from '../../text/tokenise.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EDITED, given, tempStore } from '../../testing/temp-home.ts';
import { changeLearning } from '../learnings/write.ts';
import { listLearnings } from '../learnings/list.ts';
import { learningsBySeq } from '../learnings/learnings.ts';
import { getMeta, setMeta } from '../meta.ts';
import { ensureSearchIndex, searchByWords } from './words.ts';
import { shardsIn } from './shards.ts';

function world(...notes: Array<Parameters<typeof given>[1]>) {
  const store = tempStore();
  const ids = notes.map((note) => given(store, note).learning.id);
  const found = (query: string, shards: number[] | null = null) => {
    const matches = searchByWords(store.db, query, shards, 10);
    const learnings = learningsBySeq(
      store.db,
      matches.map(({ seq }) => seq),
    );
    return matches.map(({ seq }) => learnings.get(seq)?.title);
  };
  return { store, ids, found };
}

describe('searching by words', () => {
  test('finds notes that share a word with the question, in any form of it, best first', () => {
    const { found } = world(
      { title: 'Migrations run in a transaction' },
      { title: 'Something else', body: 'It mentions a migration once.' },
      { title: 'Unrelated' },
    );
    expect(found('how do I migrate?')).toEqual(['Migrations run in a transaction', 'Something else']);
    expect(found('MIGRATION')).toHaveLength(2);
    expect(found('elephants')).toEqual([]);
  });

  test('finds identifiers whole and in parts, whichever way they are written', () => {
    const { found } = world(
      { title: 'Call recalcTaxTotals first' },
      { title: 'Set max_retry_count to 3' },
      { title: 'Parse with parseHTTPResponse2' },
    );
    for (const query of ['recalcTaxTotals', 'recalc tax', 'totals', 'RecalcTax'])
      expect(found(query)).toEqual(['Call recalcTaxTotals first']);
    for (const query of ['max_retry_count', 'retry count', 'maxRetryCount'])
      expect(found(query)).toContain('Set max_retry_count to 3');
    expect(found('http response')).toEqual(['Parse with parseHTTPResponse2']);
  });

  test('finds words with other accents and in other scripts', () => {
    const { found } = world(
      { title: 'Über die Prüfung' },
      { title: 'Запускай тесты' },
      { title: '日本語 テスト' },
    );
    expect(found('uber prufung')).toEqual(['Über die Prüfung']);
    expect(found('тесты')).toEqual(['Запускай тесты']);
    expect(found('日本語')).toEqual(['日本語 テスト']);
  });

  test('ignores stop words, unless there are no others', () => {
    const { found } = world(
      { title: 'What to do when the build is red' },
      { title: 'Lint before you commit' },
    );
    expect(found('what do you do with the lint?')).toEqual(['Lint before you commit']);
    expect(found('what is the')).toEqual(['What to do when the build is red']);
    expect(contentWords('How do I run the tests?')).toEqual(['run', 'tests']);
    expect(contentWords('to be or not to be')).toEqual(['to', 'be', 'or', 'not']);
  });

  test('searches only the shards in scope; global notes are in every scope', () => {
    const { store, found } = world(
      { title: 'Vitest one', project: 'one' },
      { title: 'Vitest twig', project: 'one', branch: 'b' },
      { title: 'Vitest two', project: 'two' },
      { title: 'Vitest all', scope: 'global', project: 'one' },
    );
    const from = (project: string, branch: string | null, allBranches = false) =>
      found('vitest', shardsIn(store.db, { project, branch, allBranches, everywhere: false })).toSorted();
    expect(from('one', null)).toEqual(['Vitest all', 'Vitest one']);
    expect(from('one', 'b')).toEqual(['Vitest all', 'Vitest one', 'Vitest twig']);
    expect(from('one', null, true)).toEqual(['Vitest all', 'Vitest one', 'Vitest twig']);
    expect(from('two', 'b')).toEqual(['Vitest all', 'Vitest two']);
    expect(
      found(
        'vitest',
        shardsIn(store.db, { project: null, branch: null, allBranches: false, everywhere: true }),
      ),
    ).toHaveLength(4);
    expect(found('vitest', [])).toEqual([]);
  });

  test.each([
    { status: 'proposed' },
    { status: 'archived' },
    { status: 'superseded' },
    { status: 'forgotten' },
    { status: 'rejected' },
    { status: 'reverted' },
    { isLatest: false },
  ] as const)('never brings a note that is not live: %o', (patch) => {
    const { store, ids, found } = world({ title: 'Use vitest' });
    changeLearning(store, ids[0] ?? '', patch, EDITED);
    expect(found('vitest')).toEqual([]);
  });

  test('follows an edit', () => {
    const { store, ids, found } = world({ title: 'Use vitest', tags: ['tests'] });
    changeLearning(store, ids[0] ?? '', { title: 'Use ava', tags: [] }, EDITED);
    expect([found('vitest'), found('tests'), found('ava')]).toEqual([[], [], ['Use ava']]);
  });
});

describe('no question breaks it', () => {
  test.each([
    '"',
    '""',
    `'`,
    '*',
    'a*',
    '(',
    ')',
    '-',
    '^',
    ':',
    '+',
    'AND',
    'OR',
    'NOT',
    'NEAR',
    'NEAR(a b, 5)',
    'title:x',
    '{title}:x',
    'a AND',
    'OR b',
    '"unclosed',
    'a"b',
    `'; DROP TABLE learning; --`,
    '\u0000',
    'a\u0000b',
    '\ud83d',
    '🧠',
    '👩‍👩‍👧',
    '\u202e',
    '\uffff',
    ' ',
    '\n',
    '...',
    '😀'.repeat(1_000),
    'é',
    'e\u0301',
    'ﬁ',
    'İ',
    'ß',
  ])('%j', (query) => {
    const { store } = world({ title: 'Use vitest' });
    expect(() => searchByWords(store.db, query, null, 10)).not.toThrow();
    expect(() => listLearnings(store.db, { text: query, offset: 0, limit: 10 })).not.toThrow();
  });

  test('of any kind', () => {
    const { store } = world({ title: 'Use vitest' });
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (query) => {
        searchByWords(store.db, query, null, 10);
        listLearnings(store.db, { text: query, offset: 0, limit: 10 });
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ['one letter', 'a'.repeat(100_000)],
    ['capitals', 'A'.repeat(100_000)],
    ['humps', 'aB'.repeat(50_000)],
    ['words', 'word '.repeat(20_000)],
    ['different words', Array.from({ length: 15_000 }, (_, at) => `w${at}`).join(' ')],
    ['quotes', '"'.repeat(100_000)],
    ['digits', '1'.repeat(100_000)],
    ['ideographs', '漢'.repeat(100_000)],
  ])('nor a hundred thousand characters of %s, within the time a test has', (_what, query) => {
    const { store } = world({ title: 'Use vitest' });
    searchByWords(store.db, query, null, 10);
    listLearnings(store.db, { text: query, offset: 0, limit: 10 });
    withParts(query);
  });
});

test('an index with another layout is rebuilt from the notes', () => {
  const { store, found } = world({ title: 'Use vitest' });
  // Within a transaction the database alone is searched, not its words in memory.
  const foundInDatabase = store.db.transaction(() => found('vitest'));
  const fingerprint = getMeta(store.db, 'search-index');
  store.db.exec(`DELETE FROM learning_fts; DELETE FROM learning_typed`);
  ensureSearchIndex(store.db);
  expect(foundInDatabase()).toEqual([]);
  setMeta(store.db, 'search-index', 'of an older Reflect');
  ensureSearchIndex(store.db);
  expect(foundInDatabase()).toEqual(['Use vitest']);
  expect(getMeta(store.db, 'search-index')).toBe(fingerprint);
});
