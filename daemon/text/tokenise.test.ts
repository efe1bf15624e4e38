import { expect, test } from 'vitest';
import { containment, coverage, jaccard } from './similarity.ts';
import { isEnglish } from './stop-words.ts';
import { contentTerms, contentWords, countWords, stemOf, tokens, withParts } from './tokenise.ts';

test.each([
  [
    'German',
    'Prüfungen laufen immer mit der echten Datenbank',
    ['prüfungen', 'laufen', 'immer', 'echten', 'datenbank'],
  ],
  ['Russian', 'Запускай миграции только в транзакции', ['запускай', 'миграции', 'транзакции']],
  ['Japanese', 'テストはvitestで実行してください', ['テスト', 'vitest', '実行']],
  ['Chinese', '请不要直接推送到主分支', ['不要', '直接', '推送', '主', '分支']],
  [
    'English',
    'Run the pre-commit hook with MAX_RETRY set',
    ['run', 'pre-commit', 'hook', 'max_retry', 'set'],
  ],
  ['Hindi', 'परीक्षण चलाओ', ['परीक्षण', 'चलाओ']],
])('%s has its words, and no others', (_language, text, terms) => {
  expect([...contentTerms(text)]).toEqual(terms);
});

test('joiners say what stays one word', () => {
  expect(tokens("don't touch src/main.ts or max_retry-count")).toEqual(
    'don t touch src main ts or max retry count'.split(' '),
  );
  expect(tokens("don't touch", "'")).toEqual(["don't", 'touch']);
  expect(tokens('src/main.ts', '_./-')).toEqual(['src/main.ts']);
  expect(tokens('_emphasis_ and trailing-', '_-')).toEqual(['emphasis', 'and', 'trailing']);
});

test('letters written in two code points are those written in one', () => {
  expect(tokens('Pru\u0308fung')).toEqual(tokens('Prüfung'));
});

test('identifiers and Japanese runs are indexed in parts too', () => {
  expect(withParts('call recalcTax')).toBe('call recalcTax\nrecalc Tax');
  expect(withParts('設定ファイルを変更')).toBe('設定ファイルを変更\n設定 ファイル を 変更');
  expect(withParts('plain words')).toBe('plain words');
});

test('words are counted with and without spaces', () => {
  expect(countWords('run  the tests')).toBe(3);
  expect(countWords('テストを実行する')).toBeGreaterThan(3);
});

test('an inflected word is known by its beginning where the stemmer knows only English', () => {
  expect([stemOf('миграциями'), stemOf('Prüfungen'.toLowerCase())]).toEqual(['миграция', 'prüfung']);
  expect([stemOf('migrations'), stemOf('実行'), stemOf('тест')]).toEqual([null, null, null]);
});

test('stop words of a language count only in that language', () => {
  expect(contentWords('the daemon must die and pour its logs')).toContain('die');
  expect(contentWords('CLAUDE_PROJECT_DIR in git worktrees')).toContain('dir');
  expect(contentWords('wie lange soll die Prüfung laufen')).not.toContain('die');
});

test('English is distinguished from other languages', () => {
  for (const text of [
    'run the tests',
    'npm test',
    'CLAUDE_PROJECT_DIR in git worktrees',
    'we met at the café',
  ])
    expect(isEnglish(tokens(text)), text).toBe(true);
  for (const text of ['запусти тесты', 'wie soll ich die Prüfung starten', 'テストを実行'])
    expect(isEnglish(tokens(text)), text).toBe(false);
});

test('coverage: a question without terms is covered by nothing, a compound by its parts, a word by its forms', () => {
  expect(coverage('???', 'anything at all')).toBe(0);
  expect(coverage('pre-commit', 'commit hooks run pre push')).toBe(1);
  expect(coverage('миграция базы', 'миграции базы данных')).toBe(1);
  expect(coverage('погода завтра', 'миграции базы данных')).toBe(0);
});

test('two measures of what texts share', () => {
  const [a, b] = [new Set(['one', 'two', 'three']), new Set(['two', 'three', 'four'])];
  expect(jaccard(a, b)).toBe(0.5);
  expect(jaccard(new Set(), new Set())).toBe(0);
  expect(containment('use pnpm', 'always use pnpm and never npm')).toBe(1);
  expect(containment('', 'anything')).toBe(0);
});
