import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ClaudeSession } from '../testing/claude-session.ts';
import { temporaryHome } from '../testing/running-daemon.ts';
import { claudeCode } from '../transcripts/claude-code.ts';
import type { ReadPosition } from '../transcripts/read-position.ts';
import { TranscriptReader } from './reader.ts';

const CORRECTION = "no, don't use npm here, use pnpm";
const transcript = () => join(temporaryHome(), 'session.jsonl');
const read = (path: string, known: ReadPosition | null = null) => new TranscriptReader(claudeCode, path, known, (knob) => knob.default);

test('reads on from where it was left, and nothing twice', () => {
  const path = transcript();
  const session = new ClaudeSession({ cwd: '/home/ada/shop' });
  writeFileSync(path, session.human('Start') + session.agent('ok'));
  const reader = read(path);
  expect(reader.read()).toMatchObject({ counts: { records: 2 }, windows: [], caughtUp: true });
  expect(reader.read()).toBeNull();
  appendFileSync(path, session.human(CORRECTION) + session.agent('Using pnpm.'));
  expect(reader.read()).toMatchObject({ counts: { records: 2 }, windows: [{ quote: CORRECTION }] });
});

test('a line still being written is read once it is whole', () => {
  const path = transcript();
  const line = new ClaudeSession({ cwd: '/home/ada/shop' }).human('Start');
  writeFileSync(path, line.slice(0, 20));
  const reader = read(path);
  expect(reader.read()?.counts.records ?? 0).toBe(0);
  appendFileSync(path, line.slice(20));
  expect(reader.read()?.counts).toMatchObject({ records: 1, badLines: 0 });
});

test('after a restart it still knows what was said before', () => {
  const path = transcript();
  const session = new ClaudeSession({ cwd: '/home/ada/shop' });
  writeFileSync(path, session.human('Start') + session.agent("Done, I've added the endpoint."));
  const position = read(path).read()?.position ?? null;
  appendFileSync(path, session.human("we didn't write any tests?") + session.agent('Good catch.'));
  expect(read(path, position).read()?.windows).toMatchObject([{ why: expect.arrayContaining(['the agent agreed']) as string[] }]);
});

test.each([
  ['truncated', (session: ClaudeSession) => session.human('A')],
  ['rewritten', (session: ClaudeSession) => session.human('Another beginning altogether') + session.agent('x'.repeat(2_000))],
])('a file that was %s is read anew', (_what, rewritten) => {
  const path = transcript();
  const session = new ClaudeSession({ cwd: '/home/ada/shop' });
  writeFileSync(path, session.human('Start with this') + session.agent('ok, I will do that now'));
  const reader = read(path);
  reader.read();
  writeFileSync(path, rewritten(session));
  expect(reader.read()?.position.position).toBe(Buffer.byteLength(rewritten(session)));
});

test('bad lines and unknown kinds are counted, and what is good between them is read', () => {
  const path = transcript();
  const session = new ClaudeSession({ cwd: '/home/ada/shop' });
  writeFileSync(path, `${session.human('Start')}{"broken\n{"type":"invented-tomorrow"}\n${session.agent('ok')}${session.human(CORRECTION)}${session.agent('Using pnpm.')}`);
  expect(read(path).read()).toMatchObject({ counts: { records: 6, badLines: 1, unknown: { 'invented-tomorrow': 1 } }, windows: [{ quote: CORRECTION }] });
});

test('a record that a resumed session copied is not noticed twice', () => {
  const path = transcript();
  const session = new ClaudeSession({ cwd: '/home/ada/shop' });
  const correction = session.human(CORRECTION);
  writeFileSync(path, session.human('Start') + session.agent('ok') + correction + session.agent('Using pnpm.') + correction + session.agent('Using it.'));
  expect(read(path).read()?.windows).toHaveLength(1);
});
