import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathsOf } from '../platform/paths.ts';
import { connect } from '../store/connection.ts';
import { putPersonaFact } from '../store/distill/persona.ts';
import { type Ran, runCli } from '../testing/command-line.ts';
import { runDaemon, type RunningDaemon } from '../testing/running-daemon.ts';

/** The command line as a process of its own, against the daemon of this test, in a folder that is a project. */
function reflect({ home }: RunningDaemon, ...args: string[]): Promise<Ran> {
  const cwd = join(home, 'project');
  mkdirSync(cwd, { recursive: true });
  return runCli(home, args, { cwd });
}

const cat = {
  title: 'Feed the cat at noon',
  rule: 'Noon, not earlier',
  tags: ['pets'],
  type: 'decision',
  scope: 'global' as const,
};
const dog = { title: 'Feed the dog at dawn', keyInsight: 'Dogs wake early', scope: 'global' as const };

async function fed(): Promise<RunningDaemon & { ids: string[] }> {
  const daemon = await runDaemon();
  const made = [
    await daemon.call('learnings.create', { note: cat }),
    await daemon.call('learnings.create', { note: dog }),
  ];
  return { ...daemon, ids: made.map(({ learning }) => learning.id) };
}

test('search says what the hits cost to read and to rediscover, and explain names them; a field is shown alone, with the next best where it is missing; JSON says null', async () => {
  const daemon = await fed();
  const whole = await reflect(daemon, 'search', 'feed');
  expect(whole.out).toMatch(/2 learnings, \d+ tokens to read, about 2700 to rediscover/);
  expect(whole.out).toContain('`--global` searches every project.');
  expect((await reflect(daemon, 'search', 'feed', '--global')).out).not.toContain('--global');
  const explained = await reflect(daemon, 'explain', 'feed');
  expect(explained.out).toMatch(/^ {2}1 +[\d.]+ +Feed the (cat|dog)/m);
  const rule = await reflect(daemon, 'search', 'feed', '--field', 'rule');
  expect([
    rule.out.includes('Noon, not earlier'),
    rule.out.includes('Dogs wake early'),
    rule.out.includes(cat.title),
  ]).toEqual([true, true, false]);
  const { hits } = JSON.parse((await reflect(daemon, 'search', 'feed', '--field', 'rule', '--json')).out) as {
    hits: Array<{ title: string; value: unknown; learning?: unknown }>;
  };
  expect(hits.map(({ value }) => value).toSorted()).toEqual(['Noon, not earlier', null]);
  expect(hits[0]).not.toHaveProperty('learning');
});

test('search prints what is less relevant apart from answers, titles only', async () => {
  const daemon = await fed();
  const { out } = await reflect(daemon, 'search', 'feed', 'cat', 'noon', 'earlier');
  const [answers = '', apart = ''] = out.split('Less relevant:');
  expect(answers).toContain('Feed the cat at noon');
  expect(answers).not.toContain('dog');
  expect(apart).toMatch(/^\n {2}0\.25 {2}Feed the dog at dawn {2}\(lrn-\S+\)$/m);
  expect(apart).toMatch(/^1 learning, \d+ tokens/m);
});

test('a fact that answers by itself is printed instead of notes', async () => {
  const daemon = await fed();
  mkdirSync(join(daemon.home, 'project'));
  const db = connect(pathsOf(daemon.home).database);
  putPersonaFact(
    db,
    realpathSync(join(daemon.home, 'project')),
    { field: 'testing_style', value: 'Tests first', confidence: 0.9, sources: [] },
    0,
  );
  db.close();
  for (const verb of ['search', 'index'])
    expect((await reflect(daemon, verb, 'what testing style does this project use?')).out).toMatch(
      /^Tests first\n {2}testing_style/m,
    );
});

test('index, timeline and hydrate work one after the other', async () => {
  const daemon = await fed();
  const [catId = '', dogId = ''] = daemon.ids;
  expect((await reflect(daemon, 'index', 'feed')).out).toMatch(
    new RegExp(`^\\[${dogId}\\] Feed the dog at dawn  score [\\d.]+`, 'm'),
  );
  expect((await reflect(daemon, 'timeline', catId)).out).toContain(`▶ `);
  expect((await reflect(daemon, 'hydrate', catId, 'lrn-nobody-000000')).out).toMatch(
    /Rule: Noon, not earlier[\s\S]*No such learning/,
  );
  expect((await reflect(daemon, 'hydrate', 'lrn-nobody-000000')).code).toBe(1);
  expect((await reflect(daemon, 'index', '--help')).out).toContain('ALWAYS FOLLOW');
});

test('a corpus is built, listed, asked and dropped', async () => {
  const daemon = await fed();
  expect(
    (
      await reflect(
        daemon,
        'corpus',
        'build',
        'pets',
        '--tag',
        'pets',
        '--tag',
        'zoo',
        '--since',
        'yesterday',
      )
    ).out,
  ).toContain('pets: 1 learning');
  expect((await reflect(daemon, 'corpus', 'list')).out).toMatch(/pets +1 learning .* fresh/);
  expect((await reflect(daemon, 'corpus', 'query', 'pets', 'feed', 'whom')).out).not.toContain(dog.title);
  expect((await reflect(daemon, 'search', 'feed', '--corpus', 'pets')).out).not.toContain(dog.title);
  expect((await reflect(daemon, 'corpus', 'prime', 'pets')).out).toContain('ONLY the learnings below');
  expect((await reflect(daemon, 'corpus', 'drop', 'pets')).out).toContain('Deleted.');
});

test('every flag reaches the recall', async () => {
  const daemon = await fed();
  const flags = [
    '--global',
    '--all-branches',
    '--branch',
    'feat/x',
    '--project',
    'p',
    '--min-overlap',
    '0.1',
    '--max-tokens',
    '900',
    '--no-mmr',
    '--mmr-lambda',
    '0.4',
    '--no-cross-encoder',
    '--field',
    'title',
    '--tags',
    'pets,zoo',
    '--since',
    '2020-01-01',
    '--until',
    'today',
    '--limit',
    '1',
    '--no-gap-log',
    '--json',
  ];
  const { hits, trace } = JSON.parse(
    (await reflect(daemon, 'explain', 'feed', 'the', 'cat', ...flags)).out,
  ) as {
    hits: unknown[];
    trace: Array<{ port: string; on: boolean; says: string; knobs: Record<string, unknown> }>;
  };
  const port = (id: string) => trace.find((step) => step.port === id);
  expect(hits).toMatchObject([{ value: cat.title }]);
  expect(port('scope.project')?.says).toContain('every project');
  expect(port('gate.out-of-domain')?.knobs).toMatchObject({ minOverlap: 0.1 });
  expect(port('diversify.marginal-relevance')).toMatchObject({ on: false, knobs: { lambda: 0.4 } });
  expect(port('rerank.cross-encoder')).toMatchObject({ on: false });
  expect(port('budget.tokens')?.knobs).toMatchObject({ maxTokens: 900 });
  await reflect(daemon, 'search', 'unicorn', '--no-gap-log');
  expect(await daemon.call('gaps.list', {})).toEqual([]);
});

test.each([
  [['search', 'feed', '--min-overlap', 'NaN'], /REFLECT_RECALL_MIN_OVERLAP takes a number from 0 to 1/],
  [['search', 'feed', '--mmr-lambda=-1'], /RECALL_MMR_LAMBDA/],
  [['search', 'feed', '--limit', '0'], /limit/],
  [['index', 'feed', '--limit', '1000000000'], /limit/],
  [['search', 'feed', '--limit', 'many'], /whole number/],
  [['search', 'feed', '--field', 'colour'], /there are .*rule/],
  [['search', 'feed', '--since', 'whenever'], /since does not understand/],
  [['corpus', 'build', '../../x'], /leads out/],
  [['search', ''], /query/],
  [['undo', 'abc'], /^reflect: “abc” is not a change number\.$/m],
  [['slots', 'undo', 'abc'], /^reflect: “abc” is not a change number\.$/m],
  [['unignore'], /^reflect: Pass a rule from `reflect ignore`, or `--agent`\.$/m],
])('reflect %j is refused as wrong usage, with the reason', async (args, reason) => {
  const { code, err } = await reflect(await runDaemon(), ...args);
  expect([code, err]).toEqual([2, expect.stringMatching(reason)]);
});

test('candidates are listed with why they wait, kept in other words, dropped, and found only when asked for', async () => {
  const daemon = await fed();
  const wait = (title: string) =>
    daemon.call('learnings.create', {
      note: {
        title,
        scope: 'global',
        status: 'candidate',
        metadata: { judged: { against: ['names nothing'] } },
      },
    });
  const [{ learning: kept }, { learning: dropped }] = [await wait('Feed it daily'), await wait('Feed that')];
  expect((await reflect(daemon, 'search', 'feed', 'daily')).out).not.toContain('Feed it daily');
  expect((await reflect(daemon, 'search', 'feed', 'daily', '--candidates')).out).toContain(
    'Feed it daily  candidate',
  );
  const { out } = await reflect(daemon, 'candidates');
  expect(out).toContain('waits: it names nothing');
  expect(out).toContain('2 candidates');
  expect(
    (await reflect(daemon, 'candidates', 'keep', kept.id, '--title', 'Feed the bird daily')).out,
  ).toContain('Kept 1 candidate.');
  expect((await reflect(daemon, 'candidates', 'drop', dropped.id)).out).toContain('Dropped 1 candidate.');
  expect((await reflect(daemon, 'candidates', 'list')).out).toContain('No candidates.');
  expect((await reflect(daemon, 'search', 'feed', 'bird')).out).toContain('Feed the bird daily');
  await reflect(daemon, 'undo');
  expect((await reflect(daemon, 'candidates')).out).toContain('Feed that');
});
