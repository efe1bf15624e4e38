import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { ClaudeSession } from '../testing/claude-session.ts';
import { temporaryHome } from '../testing/running-daemon.ts';
import { claudeCode } from '../transcripts/claude-code.ts';
import { codex } from '../transcripts/codex.ts';
import { openCode } from '../transcripts/opencode.ts';
import type { ReadPosition } from '../platform/read-position.ts';
import { TranscriptReader } from './reader.ts';

const CORRECTION = "no, don't use npm here, use pnpm";
const transcript = () => join(temporaryHome(), 'session.jsonl');
const read = (path: string, known: ReadPosition | null = null) =>
  new TranscriptReader(claudeCode, path, known, (knob) => knob.default);

test('reads on from where it was left, and nothing twice', () => {
  const path = transcript();
  const session = new ClaudeSession({ cwd: '/home/ada/shop' });
  writeFileSync(path, session.human('Start') + session.agent('ok'));
  const reader = read(path);
  expect(reader.read()).toMatchObject({ counts: { records: 2 }, moments: [], caughtUp: true });
  expect(reader.read()).toBeNull();
  appendFileSync(path, session.human(CORRECTION) + session.agent('Using pnpm.'));
  expect(reader.read()).toMatchObject({ counts: { records: 2 }, moments: [{ quote: CORRECTION }] });
});

test('a session is named by its first request, also when reading begins in its middle', () => {
  const path = transcript();
  const session = new ClaudeSession({ cwd: '/home/ada/shop' });
  writeFileSync(path, session.human('Add a cart') + session.agent('ok') + session.human('And a test'));
  const first = read(path).read();
  expect(first?.sessions.map(({ request }) => request).filter(Boolean)).toEqual(['Add a cart']);
  appendFileSync(path, session.human('Now the docs'));
  const later = read(path, first?.position).read();
  expect(later?.sessions.map(({ request }) => request).filter(Boolean)).toEqual([]);
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
  expect(read(path, position).read()?.moments).toMatchObject([
    { why: expect.arrayContaining(['questions what was just done']) as string[] },
  ]);
});

test.each([
  ['truncated', (session: ClaudeSession) => session.human('A')],
  [
    'rewritten',
    (session: ClaudeSession) =>
      session.human('Another beginning altogether') + session.agent('x'.repeat(2_000)),
  ],
])('a file that was %s is read again', (_what, rewritten) => {
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
  writeFileSync(
    path,
    `${session.human('Start')}{"broken\n{"type":"invented-tomorrow"}\n${session.agent('ok')}${session.human(CORRECTION)}${session.agent('Using pnpm.')}`,
  );
  expect(read(path).read()).toMatchObject({
    counts: { records: 6, badLines: 1, unknown: { 'invented-tomorrow': 1 } },
    moments: [{ quote: CORRECTION }],
  });
});

test('a record that a resumed session copied is not noticed twice', () => {
  const path = transcript();
  const session = new ClaudeSession({ cwd: '/home/ada/shop' });
  const correction = session.human(CORRECTION);
  writeFileSync(
    path,
    session.human('Start') +
      session.agent('ok') +
      correction +
      session.agent('Using pnpm.') +
      correction +
      session.agent('Using it.'),
  );
  expect(read(path).read()?.moments).toHaveLength(1);
});

test('what only the beginning of a long file says is known after a restart', () => {
  const path = transcript();
  const record = (type: string, payload: object) =>
    `${JSON.stringify({ timestamp: '2026-06-01T09:00:00Z', type, payload })}\n`;
  const said = (type: string, message: string) => record('event_msg', { type, message });
  const filler = said('agent_message', 'x'.repeat(1_000)).repeat(900);
  writeFileSync(
    path,
    record('session_meta', { id: 'thread-1', cwd: '/home/ada/shop', git: { branch: 'feat/x' } }) +
      said('user_message', 'Start') +
      filler,
  );
  const first = new TranscriptReader(codex, path, null, (knob) => knob.default);
  let position: ReadPosition | null = null;
  for (let stretch = first.read(); stretch; stretch = stretch.caughtUp ? null : first.read())
    position = stretch.position;
  appendFileSync(path, said('user_message', CORRECTION) + said('agent_message', 'Using pnpm.'));
  const restarted = new TranscriptReader(codex, path, position, (knob) => knob.default);
  expect(restarted.read()?.moments).toMatchObject([
    { session: 'thread-1', cwd: '/home/ada/shop', branch: 'feat/x', quote: CORRECTION },
  ]);
});

describe('files that are not plain lines', () => {
  const noticedIn = (reader: TranscriptReader) => {
    const moments = [];
    for (let stretch = reader.read(); stretch; stretch = stretch.caughtUp ? null : reader.read())
      moments.push(...stretch.moments);
    return moments;
  };
  const codexReader = (path: string, known: ReadPosition | null = null) =>
    new TranscriptReader(codex, path, known, (knob) => knob.default);
  const rollout =
    ['session_meta', 'user_message', 'agent_message', 'user_message', 'agent_message']
      .map((type, index) =>
        JSON.stringify({
          timestamp: '2026-06-01T09:00:00Z',
          ...(index === 0
            ? { type, payload: { id: 't', cwd: '/home/ada/shop' } }
            : {
                type: 'event_msg',
                payload: { type, message: ['', 'Start', 'ok', CORRECTION, 'Using pnpm.'][index] },
              }),
        }),
      )
      .join('\n') + '\n';

  test('a transcript that was compressed is noticed under the keys it had before', () => {
    const plain = transcript();
    writeFileSync(plain, rollout);
    writeFileSync(`${plain}.zst`, zstdCompressSync(rollout));
    const keys = noticedIn(codexReader(plain)).map(({ key }) => key);
    expect(keys).toHaveLength(1);
    expect(noticedIn(codexReader(`${plain}.zst`)).map(({ key }) => key)).toEqual(keys);
  });

  test('a compressed transcript is read to its end once', () => {
    const path = `${transcript()}.zst`;
    writeFileSync(path, zstdCompressSync(rollout));
    const reader = codexReader(path);
    const stretch = reader.read();
    expect(stretch).toMatchObject({ caughtUp: true, counts: { records: 5, badLines: 0 } });
    expect(stretch?.position.position).toBe(stretch?.position.size);
    expect(reader.read()).toBeNull();
    expect(codexReader(path, stretch?.position).read()).toBeNull();
  });

  test('one that is long is handed on in pieces, and begun again after a restart in between', () => {
    const path = `${transcript()}.zst`;
    const lines = Array.from({ length: 3_000 }, (_, index) =>
      JSON.stringify({
        timestamp: '2026-06-01T09:00:00Z',
        type: 'event_msg',
        payload: { type: 'agent_message', message: `${index}${'x'.repeat(900)}` },
      }),
    );
    writeFileSync(path, zstdCompressSync(lines.join('\n')));
    const reader = codexReader(path);
    const first = reader.read();
    expect(first).toMatchObject({ caughtUp: false, position: { position: 0 } });
    let records = first?.counts.records ?? 0;
    for (let stretch = reader.read(); stretch; stretch = reader.read()) records += stretch.counts.records;
    expect(records).toBe(3_000);
    expect(codexReader(path, first?.position).read()?.counts.records).toBe(first?.counts.records);
  });

  test('sessions in one database are followed each on its own', () => {
    const path = join(temporaryHome(), 'opencode.db');
    const db = new Database(path);
    db.exec(`
      CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT, parent_id TEXT);
      CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
      CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, data TEXT);
    `);
    let at = Date.UTC(2026, 5, 1);
    const say = (session: string, role: string, text: string) => {
      const id = `msg_${++at}`;
      db.prepare('INSERT INTO message VALUES (?, ?, ?, ?)').run(
        id,
        session,
        at,
        JSON.stringify({ role, time: { created: at, completed: at } }),
      );
      db.prepare('INSERT INTO part VALUES (?, ?, ?)').run(
        `prt_${at}`,
        id,
        JSON.stringify({ type: 'text', text }),
      );
    };
    for (const session of ['a', 'b'])
      db.prepare('INSERT INTO session VALUES (?, ?, NULL)').run(session, `/home/ada/${session}`);
    say('a', 'user', 'Start a');
    say('b', 'user', 'Start b');
    say('a', 'assistant', 'Doing a.');
    say('b', 'assistant', 'Doing b.');
    say('a', 'user', CORRECTION);
    say('a', 'assistant', 'Using pnpm.');
    const reader = new TranscriptReader(openCode, path, null, (knob) => knob.default);
    expect(noticedIn(reader)).toMatchObject([
      { session: 'a', cwd: '/home/ada/a', span: { start: 2, end: 3 } },
    ]);
    expect(reader.read()).toBeNull();
    say('b', 'user', "Don't use tabs here, use spaces");
    say('b', 'assistant', 'Using spaces.');
    const [moment] = noticedIn(reader);
    expect(moment).toMatchObject({ session: 'b', span: { start: 2, end: 3 } });
    expect(moment?.turns.map(({ text }) => text).join()).not.toContain('Start a');
    db.close();
  });
});

describe('what no honest agent writes', () => {
  const session = new ClaudeSession({ cwd: '/home/ada/shop' });

  test.each([
    ['nothing at all', '', { records: 0, badLines: 0 }],
    ['a byte order mark', `\uFEFF${session.human('Start')}`, { records: 1, badLines: 0 }],
    [
      'lines that end as on Windows',
      (session.human('Start') + session.agent('ok')).replaceAll('\n', '\r\n') + '\r\n',
      { records: 2, badLines: 0 },
    ],
    [
      'bytes that are no text',
      Buffer.concat([Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from(session.human('Start'))]),
      { records: 2, badLines: 1 },
    ],
  ])('%s is borne', (_what, content, counts) => {
    const path = transcript();
    writeFileSync(path, content);
    expect(read(path).read()?.counts ?? { records: 0, badLines: 0 }).toMatchObject(counts);
  });

  test('a line of 50 MB is read, and so is what follows', () => {
    const path = transcript();
    writeFileSync(path, session.agent('x'.repeat(50 * 1024 * 1024)) + session.human('Start'));
    const reader = read(path);
    const counts = [reader.read(), reader.read()].map((stretch) => stretch?.counts);
    expect(counts).toMatchObject([
      { records: 1, badLines: 0 },
      { records: 1, badLines: 0 },
    ]);
  });
});
