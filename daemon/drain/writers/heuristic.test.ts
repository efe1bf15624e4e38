import { describe, expect, test } from 'vitest';
import { Note } from '#contract/entities.ts';
import type { Turn } from '../../capture/captured.ts';
import type { DrainedMoment } from '../writer.ts';
import { engineering } from '../modes/engineering.ts';
import { embeddedText } from '../../store/search/note-text.ts';
import { heuristic } from './heuristic.ts';
import { asRule } from './rule.ts';
import { sentences } from '../../text/sentences.ts';

interface Said extends Partial<DrainedMoment> {
  before?: string;
  reply?: string;
  failed?: string;
}

function momentOf(
  quote: string,
  { before = 'I bumped payments.proto and pushed.', reply, failed, ...moment }: Said = {},
): DrainedMoment {
  const turn = (role: Turn['role'], text: string, trigger = false): Turn => ({ role, text, at: 0, trigger });
  return {
    id: 1,
    key: 'k',
    chunkHash: 'h',
    signal: 'signal.correction',
    agent: 'claude-code',
    session: 's',
    transcript: 't',
    project: 'github.com/acme/billing',
    branch: null,
    at: 0,
    attempts: 1,
    quote,
    type: 'correction',
    speculative: false,
    why: ['forbids something'],
    score: 0.5,
    span: { start: 0, end: 1 },
    turns: [
      turn('agent', before),
      ...(failed ? [turn('tool', `failed: ${failed}`)] : []),
      turn('human', quote, true),
      ...(reply ? [turn('agent', reply)] : []),
    ],
    ...moment,
  };
}

const write = (quote: string, said?: Said) => heuristic.write(momentOf(quote, said), engineering, []);
const titleOf = async (quote: string, said?: Said) => (await write(quote, said))?.title;
const finding = { signal: 'signal.root-cause', type: 'bug-fix' as const, why: ['names the cause'] };

test('the worked example of the seeds: a rule as title, what went wrong, what to do, and what it is about', async () => {
  const note = await write(
    "no — don't bump the shared payments.proto without regenerating the clients, it broke staging last time.",
    {
      reply: "You're right. I should run `make proto-gen` after any .proto edit.",
    },
  );
  expect(Note.parse(note)).toMatchObject({
    title:
      "Don't bump the shared payments.proto without regenerating the clients, it broke staging last time",
    problem: 'I bumped payments.proto and pushed.',
    fix: 'Run `make proto-gen` after any .proto edit',
    type: 'correction',
    scope: 'project',
    metadata: { compression: 'synthetic' },
  });
  expect(note?.tags).toContain('payments.proto');
  expect(note?.entities?.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['payments.proto', 'make proto-gen']),
  );
});

test('the reasons it was kept read as a sentence, whoever they are about', async () => {
  const said = { reply: "You're right.", why: ['the agent gave in', 'refuses', 'forbids something'] };
  const { body } = Note.parse(await write('No, never push to main: open a pull request instead.', said));
  expect(body).toMatch(/Kept because the message refuses, forbids something; the agent gave in\.$/);
});

test('a quote keeps its lines, and a long one ends between two words', async () => {
  const list = 'Never do these:\n\n\n- push to main\n- edit `dist/`\n';
  const { body } = Note.parse(await write(list));
  expect(body).toContain('> Never do these:\n> \n> - push to main\n> - edit `dist/`\n');
  const { body: cut } = Note.parse(await write(`Never push to main. ${'word '.repeat(200)}`));
  expect(cut).toMatch(/^> Never push to main\. (?:word )+word…\n/);
});

test('the reasons it was kept are not searched: they say nothing of its subject', async () => {
  const note = Note.parse(await write('No, never push to main.', { why: ['refuses', 'forbids something'] }));
  expect(embeddedText(note)).toContain('never push to main');
  expect(embeddedText(note)).not.toContain('forbids something');
});

describe('a title is a rule that stands alone', () => {
  test.each([
    ["no, don't use npm here.", "Don't use npm here"],
    ['ok but actually you should use pnpm', 'Use pnpm'],
    ['I already told you to run make fmt', 'Run make fmt'],
    ['You must not commit secrets', 'Do not commit secrets'],
    ['can we also add a test for the empty basket?', 'Add a test for the empty basket'],
    ["hmm, let's not show totals on the overview", 'Do not show totals on the overview'],
    ["I'd like all dates printed as ISO strings", 'Have all dates printed as ISO strings'],
    ['why do the invoices have no tax line?', 'Why do the invoices have no tax line?'],
    ['If the flag is never read, I should delete it', 'If the flag is never read, delete it'],
    ['I should have written the test first', 'Write the test first'],
    ["You shouldn't have pushed to main", 'Do not push to main'],
    [
      'The proper fix is to take the name from the command, not to guess it',
      'Take the name from the command, not to guess it',
    ],
    ["why aren't we using the typed id there?", 'Use the typed id there'],
    ['We should be using typed ids', 'Use typed ids'],
    ["I don't want to have my own tokens used by the build", 'Do not have my own tokens used by the build'],
    ['This ensures that secrets are never written to the log.', 'Secrets are never written to the log'],
    ['Key insight: the agent is known from the hook', 'The agent is known from the hook'],
    ['Before making changes, dont forget to pull main', 'Before making changes, pull main'],
    [
      'Found it! The issue is that `cart.total` is read before it is set.',
      '`cart.total` is read before it is set',
    ],
  ])('%j stands alone as %j', (said, rule) => {
    expect(asRule(said)).toBe(rule);
  });

  test('where a person only asks, the agent says it for them', async () => {
    expect(
      await titleOf('did we test the refund path?', {
        reply: 'Good catch. The refund path has no test because the sandbox cannot refund. Let me add one.',
      }),
    ).toBe('The refund path has no test because the sandbox cannot refund');
  });

  test('where the person says it whole, the agent does not speak for them', async () => {
    expect(
      await titleOf('never put a migration and application code into the same commit', {
        reply: 'Understood. The pipeline is green and everything was pushed to the branch.',
      }),
    ).toBe('Never put a migration and application code into the same commit');
  });

  test('what the agent does next is never the lesson', async () => {
    expect(
      await titleOf('and the mobile layout?', {
        reply: 'Let me check the mobile layout and use the grid instead.',
      }),
    ).toMatch(/^The mobile layout\?/);
  });

  test('a choice is titled by what was chosen', async () => {
    const before =
      'Which one?\n1. Keep the queue in memory\n2. Move the queue to SQLite so that it survives restarts';
    expect((await write("let's do 2 for now", { before }))?.rule).toBe(
      'Move the queue to SQLite so that it survives restarts',
    );
  });

  test('the answer to a question tool is kept with its question', async () => {
    expect(
      await titleOf('Which queue should we use? → SQLite (Recommended)\nFor how long? → 30 days', {
        signal: 'signal.answer',
      }),
    ).toBe('Which queue should we use? → SQLite');
  });

  test('it is one line, whole unless it is a paragraph', async () => {
    const long = `never commit generated files${', not even for a moment'.repeat(6)}`;
    expect(await titleOf(long)).toBe(`N${long.slice(1)}`);
    expect(await titleOf(`never ${'commit generated files and '.repeat(30)}push`)).toMatch(/^.{100,239}…$/);
  });
});

test('what the agent was about to do is no problem, and neither is a call that a person turned down', async () => {
  const before = 'I renamed the column in place. Let me update the calls:';
  expect((await write('no, add a migration instead', { before }))?.problem).toBe(
    'I renamed the column in place.',
  );
  const failed = "The user doesn't want to proceed with this tool use. The tool use was rejected";
  expect(
    (await write('`migrate` skips renamed columns because it compares names.', { ...finding, failed }))
      ?.problem,
  ).toBe('');
});

test('an agent that said nothing is known by its last call and how that failed', async () => {
  const problemAfter = async (...tools: string[]) => {
    const moment = momentOf('no, round the tax of each line instead', {});
    const turns = tools.map((text) => ({ role: 'tool' as const, text, at: 0, trigger: false }));
    moment.turns = [...turns, ...moment.turns.filter(({ trigger }) => trigger)];
    return (await heuristic.write(moment, engineering, []))?.problem;
  };
  const call = 'Bash {"command":"pytest -k \\"tax\\""}';
  expect(await problemAfter(call)).toBe('The agent ran `pytest -k "tax"`');
  const cut = 'Bash {"command":"login \\[redacted credential]"}';
  expect(await problemAfter(cut)).toBe(`The agent ran ${cut}`);
  expect(await problemAfter(call, 'failed: E  AssertionError: 19 == 20\n1 failed')).toBe(
    'The agent ran `pytest -k "tax"`, which failed: E AssertionError: 19 == 20',
  );
  expect(await problemAfter(call, "failed: The user doesn't want to proceed")).toBe(
    'The agent ran `pytest -k "tax"`',
  );
  expect(await problemAfter('failed: no such file')).toBe('Failed: no such file');
});

test('a commit may say best what was learned', async () => {
  const moment = momentOf('and the refunds?', { reply: 'Good point, looking into it.' });
  const text =
    'git commit: fix(cart): never round refunds before tax\n\nThe `refund` total is rounded once, after tax, because rounding\ntwice loses cents.';
  moment.turns.push({ role: 'tool', text, at: 0, trigger: false });
  const note = await heuristic.write(moment, engineering, []);
  expect(note?.title).toBe(
    'The `refund` total is rounded once, after tax, because rounding twice loses cents',
  );
});

describe('what an agent found', () => {
  const said =
    'Found the bug! `parseRange` drops the last page because the loop stops at `size - 1`. The fix: compare with `<=`.';
  test('its cause, its fix and what failed each have their place', async () => {
    const note = await write(said, {
      ...finding,
      failed: 'exit 1\n  ✗ pages.test.ts: expected 10 but got 9 (AssertionError)',
    });
    expect(note).toMatchObject({
      title: '`parseRange` drops the last page because the loop stops at `size - 1`',
      problem: expect.stringContaining('pages.test.ts') as string,
      rootCause: expect.stringContaining('because the loop stops') as string,
      fix: expect.stringContaining('compare with') as string,
      type: 'bug-fix',
    });
  });
});

test('a rule is global only when it is said for every project; that it always holds is not enough', async () => {
  expect((await write('in all my repos, use pnpm instead of npm'))?.scope).toBe('global');
  expect(
    (await write("don't ask for permission to run the linter, anywhere: for every project"))?.scope,
  ).toBe('global');
  expect((await write('never ask me for permission to run the linter, always just run it'))?.scope).toBe(
    'project',
  );
  expect((await write('never edit `schema.sql` by hand'))?.scope).toBe('project');
});

test('S2: a warning becomes an edge to what keeping to it prevents', async () => {
  const note = await write(
    'no — don’t bump the shared payments.proto without regenerating the clients, it broke staging last time',
  );
  expect(note?.relations?.map(({ source, type, target }) => [source, type, target])).toContainEqual([
    'payments.proto',
    'prevents',
    'broke staging',
  ]);
});

test('a moment with nothing said in it gives no note', async () => {
  expect(await write('hm')).toBeNull();
});

test('dots of file names and versions do not end a sentence; headings, lists and emphasis are taken off', () => {
  expect(sentences('Use v1.2.3 of foo.ts now. Then stop.')).toEqual([
    'Use v1.2.3 of foo.ts now.',
    'Then stop.',
  ]);
  expect(sentences('## Plan\n- **Never** run `x`\n| a | b |\n```\ncode\n```\nDone?')).toEqual([
    'Plan',
    'Never run `x`',
    'Done?',
  ]);
});

test.each([
  '**Root cause:** the `replace` tool is missing from the `WRITE_TOOLS` list',
  '## The problem\n\nThe `replace` tool is missing from the `WRITE_TOOLS` list.',
  'I found the issue. The `replace` tool is missing from the `WRITE_TOOLS` list.',
])('of two sentences of one form, the one announced as the cause is the title: %j', async (announced) => {
  const other = 'The `letters` file is missing from the `EDITED` list.';
  expect(await titleOf(`${other}\n\n${announced}`, finding)).toBe(
    'The `replace` tool is missing from the `WRITE_TOOLS` list',
  );
});

test.each([
  ['The key insight: the agent is known by the hook that runs', 'The agent is known by the hook that runs'],
  ['The root cause is clear: phase 14 never creates the table', 'Phase 14 never creates the table'],
  ['Key invariant - `pendingId` must not be reused', '`pendingId` must not be reused'],
  ['The issue tracker: closed for good', 'The issue tracker: closed for good'],
])('an announcement is no part of a rule: %j', (sentence, rule) => {
  expect(asRule(sentence)).toBe(rule);
});
