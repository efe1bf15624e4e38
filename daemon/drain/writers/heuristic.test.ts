import { expect, test } from 'vitest';
import { Note } from '#contract/entities.ts';
import type { Turn } from '../../capture/pipeline.ts';
import type { DrainedWindow } from '../writer.ts';
import { engineering } from '../modes/engineering.ts';
import { heuristic } from './heuristic.ts';
import { asRule, bestDirective, sentences } from './sentences.ts';

function windowOf(quote: string, reply?: string): DrainedWindow {
  const turn = (role: Turn['role'], text: string, trigger = false): Turn => ({ role, text, at: 0, trigger });
  return {
    id: 1, key: 'k', chunkHash: 'h', signal: 'signal.correction', agent: 'claude-code', session: 's', transcript: 't', project: 'github.com/acme/billing', branch: null,
    at: 0, attempts: 1, quote, type: 'correction', speculative: false, why: ['forbids something'], score: 4, span: { start: 0, end: 1 },
    turns: [turn('agent', 'I bumped payments.proto and pushed.'), turn('human', quote, true), ...(reply ? [turn('agent', reply)] : [])],
  };
}

const write = (window: DrainedWindow) => heuristic.write(window, engineering, []);

test('the worked example of the seeds: a rule as title, what went wrong, what to do, and what it is about', async () => {
  const note = await write(windowOf("no — don't bump the shared payments.proto without regenerating the clients, it broke staging last time.", "You're right. I should run `make proto-gen` after any .proto edit."));
  expect(Note.parse(note)).toMatchObject({
    title: "Don't bump the shared payments.proto without regenerating the clients, it broke staging last time",
    problem: 'I bumped payments.proto and pushed.',
    fix: 'I should run `make proto-gen` after any .proto edit',
    type: 'correction', scope: 'project', metadata: { compression: 'synthetic' },
  });
  expect(note?.tags).toContain('payments.proto');
  expect(note?.entities?.map(({ name }) => name)).toEqual(expect.arrayContaining(['payments.proto', 'make proto-gen']));
});

test('the same window always gives the same note', async () => {
  const window = windowOf('always use pnpm in this repo, never npm');
  expect(await write(window)).toEqual(await write(window));
});

test('the agent agreeing raises the confidence', async () => {
  const window = windowOf('use pnpm instead');
  const [plain, agreed] = await Promise.all([write(window), write({ ...window, why: [...window.why, 'the agent agreed'] })]);
  expect(agreed?.confidence).toBeGreaterThan(plain?.confidence ?? 1);
});

test('a window with nothing said in it gives no note', async () => {
  expect(await write(windowOf('hm'))).toBeNull();
});

test('a title is one line and fits a row', async () => {
  const note = await write(windowOf(`never ${'commit generated files and '.repeat(20)}push`));
  expect(note?.title.length).toBeLessThanOrEqual(110);
  expect(note?.title).toMatch(/…$/);
});

test.each([
  ["no, don't use npm here.", "Don't use npm here"],
  ['ok but actually you should use pnpm', 'Use pnpm'],
  ['I already told you to run make fmt', 'Run make fmt'],
  ['You must not commit secrets', 'Do not commit secrets'],
])('%j stands alone as %j', (said, rule) => {
  expect(asRule(said)).toBe(rule);
});

test('of several sentences the one that tells what to do is taken', () => {
  expect(bestDirective('Hm, that looks odd. Never edit files under gen/. I will check later.')).toBe('Never edit files under gen/');
  expect(bestDirective('The weather is nice.')).toBeNull();
});

test('dots of file names and versions do not end a sentence', () => {
  expect(sentences('Use v1.2.3 of foo.ts now. Then stop.')).toEqual(['Use v1.2.3 of foo.ts now.', 'Then stop.']);
});
