import { expect, test } from 'vitest';
import { ClaudeSession } from '../../testing/claude-session.ts';
import { claudeCode } from '../../transcripts/claude-code.ts';
import { type CapturedWindow, SessionCapture } from '../pipeline.ts';

/** What is noticed in a dialogue, given as the lines of its transcript. */
function noticed(lines: (session: ClaudeSession) => string[]): CapturedWindow[] {
  const capture = new SessionCapture((knob) => knob.default);
  let start = 0;
  return lines(new ClaudeSession({ cwd: '/home/ada/shop' })).flatMap((line) => {
    const span = { start, end: (start += line.length) };
    return claudeCode.parseLine(line, span).events.flatMap((event) => capture.feed(event).windows);
  });
}
const quotes = (lines: (session: ClaudeSession) => string[]) => noticed(lines).map(({ quote }) => quote);

test('a refusal that points to another way is a correction', () => {
  const [window] = noticed((s) => [s.human('Add lodash'), s.agent('I ran npm install lodash.'), s.human("no, don't use npm here, use pnpm")]);
  expect(window).toMatchObject({ quote: "no, don't use npm here, use pnpm", cwd: '/home/ada/shop', branch: 'main' });
  expect(window?.why).toEqual(expect.arrayContaining(['begins with a refusal', 'forbids something']));
  expect(window?.turns.map(({ role, trigger }) => [role, trigger])).toEqual([['human', false], ['agent', false], ['human', true]]);
});

test('what a person says when turning a tool call down is a correction, however short', () => {
  expect(quotes((s) => [s.human('Start'), s.toolCall('Bash', {}), s.rejection('edit the template, the file is generated')])).toEqual(['edit the template, the file is generated']);
});

test('a message after an interruption is a correction', () => {
  expect(quotes((s) => [s.human('Start'), s.agent('Rewriting everything.'), s.interruption(), s.human('only touch the parser module')])).toEqual(['only touch the parser module']);
});

test('an undecided message becomes one when the agent agrees to it', () => {
  const [window] = noticed((s) => [s.human('Start'), s.agent('Here is the plan.'), s.human('the ids are strings in that table'), s.agent("You're right, they are strings.")]);
  expect(window).toMatchObject({ quote: 'the ids are strings in that table', why: ['the agent agreed'] });
  expect(window?.turns.at(-1)).toMatchObject({ role: 'agent', trigger: false });
});

test('a question right after a claim to be done counts once the agent agrees', () => {
  expect(quotes((s) => [s.human('Start'), s.agent("Done, I've added the endpoint."), s.human("we didn't write any tests?"), s.agent('Good catch, adding them.')])).toEqual(["we didn't write any tests?"]);
});

test.each([
  ['the task a session begins with', (s: ClaudeSession) => [s.human("Don't use npm, never. Fix the build instead.")]],
  ['a bare yes', (s: ClaudeSession) => [s.human('Start'), s.agent('Shall I?'), s.human('yes'), s.agent("You're right!")]],
  ['a pasted plan', (s: ClaudeSession) => [s.human('Start'), s.agent('Ready.'), s.human('Implement the following plan: never use npm, always pnpm instead.')]],
  ['thanks', (s: ClaudeSession) => [s.human('Start'), s.agent('Done.'), s.human('thank you!')]],
  ['a neutral next task', (s: ClaudeSession) => [s.human('Start'), s.agent('Working on it.'), s.human('now add the same to the orders page'), s.agent('Sure.')]],
])('%s is none', (_what, lines) => {
  expect(quotes(lines)).toEqual([]);
});

test('curly quotes are read as straight ones', () => {
  expect(quotes((s) => [s.human('Start'), s.agent('ok'), s.human('Don’t mock the database')])).toEqual(['Don’t mock the database']);
});
