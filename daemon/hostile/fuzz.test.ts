import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { DaemonError } from '#contract/errors.ts';
import { type Method, METHODS } from '#contract/methods.ts';
import { exportArchive } from '../archive/export.ts';
import { inspectArchive } from '../archive/import.ts';
import { readTar } from '../archive/tar.ts';
import { archivePath, fullStore, partsOf, silent } from '../archive/testing.ts';
import { connectTo } from '../client/connect.ts';
import { pathsOf } from '../platform/paths.ts';
import { Settings } from '../platform/settings.ts';
import { KNOBS } from '../registry.ts';
import { parseDocument } from '../store/learnings/document-format.ts';
import { DocumentProblem } from '../store/learnings/document-yaml.ts';
import { ClaudeSession } from '../testing/claude-session.ts';
import { runDaemon, type RunningDaemon } from '../testing/running-daemon.ts';
import { tempFolder, tempStore } from '../testing/temp-home.ts';
import { AGENTS } from '../transcripts/agents.ts';

/** `npm run test:hostile` sets it; the short form runs with all other tests. */
const RUNS = Number(process.env['REFLECT_HOSTILE_RUNS'] ?? 60);
const LONG = { timeout: 60_000 + RUNS * 200 };

/** Methods that reach beyond the home they are asked in, or end the daemon. */
const OUTSIDE =
  /^(?:daemon|agents|archive|backups|imports|import|models|skills|conventions|writers|ui|checks|loops)\./;

const value = fc.jsonValue({ maxDepth: 3 });

/** Inputs that are nearly right: the fields of the method, with anything in them. */
function inputFor(method: Method): fc.Arbitrary<unknown> {
  const { input } = METHODS[method];
  const fields = input instanceof z.ZodObject ? Object.keys(input.shape) : [];
  const model = Object.fromEntries(
    fields.map((field) => [field, fc.oneof(value, fc.string(), fc.integer())]),
  );
  return fc.oneof(value, fc.record(model, { requiredKeys: [] }));
}

test('no request makes a method fail by surprise', LONG, async () => {
  const daemon = await runDaemon();
  const methods = (Object.keys(METHODS) as Method[]).filter((method) => !OUTSIDE.test(method));
  const open = await connectTo(pathsOf(daemon.home));
  if (!open) throw new Error('the daemon does not answer');
  const { send } = open.connection;
  const request = fc
    .constantFrom(...methods)
    .chain((method) => inputFor(method).map((input) => ({ method, input })));
  await fc.assert(
    fc.asyncProperty(request, async ({ method, input }) => {
      const reply = await send(method, input);
      if (!reply.ok) expect(reply.code, `${method} ${reply.detail ?? ''}`).not.toBe('internal');
    }),
    { numRuns: RUNS * 10 },
  );
  open.close();
  expect((await daemon.call('status', {})).notices).toEqual([]);
});

/** Writes bytes to the socket and hangs up. */
const throwAt = ({ run }: RunningDaemon, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(run.socket, () =>
      socket.write(bytes, () => setTimeout(() => socket.destroy(), 2)),
    );
    socket.on('error', () => {}).on('close', () => resolve());
  });

test('no bytes on the socket end the daemon', LONG, async () => {
  const daemon = await runDaemon();
  const line = fc.oneof(
    fc.string(),
    fc.json(),
    value.map((params) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'status', params })),
  );
  const frames = fc.oneof(
    fc.uint8Array({ maxLength: 4_000 }),
    fc.array(line, { maxLength: 20 }).map((lines) => Buffer.from(lines.join('\n'))),
  );
  await fc.assert(
    fc.asyncProperty(frames, (bytes) => throwAt(daemon, bytes)),
    { numRuns: RUNS },
  );
  expect((await daemon.call('status', {})).notices).toEqual([]);
});

/** Real lines, with some of their values replaced. */
function damagedLine(): fc.Arbitrary<string> {
  const session = new ClaudeSession({ cwd: '/home/ada/shop' });
  const real = [
    session.human('no, use pnpm'),
    session.agent('Right.'),
    session.toolCall('Bash', { command: 'npm test' }),
    session.rejection('use pnpm'),
    session.interruption(),
  ].map((line) => JSON.parse(line) as unknown);
  return fc.tuple(fc.constantFrom(...real), fc.nat(20), value).map(([record, at, other]) => {
    let seen = 0;
    return JSON.stringify(record, (_key, each: unknown) => (seen++ === at ? other : each));
  });
}

test.each(AGENTS.map((adapter) => [adapter.agent, adapter] as const))(
  'whatever a transcript of %s says, its parser returns or refuses',
  (_agent, adapter) => {
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      damagedLine(),
      value.map((each) => JSON.stringify({ type: 'user', message: each })),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const parser = adapter.open(join('/nowhere', 'session.jsonl'));
        lines.forEach((text, index) => {
          try {
            expect(Array.isArray(parser.parse(text, { start: index, end: index + 1 }).events)).toBe(true);
          } catch (error) {
            expect(error).toBeInstanceOf(Error); // a bad line, which its reader counts
            expect(error).not.toBeInstanceOf(RangeError);
          }
        });
      }),
      { numRuns: RUNS },
    );
  },
);

test('whatever a note file says, it is read or refused with a reason', () => {
  const token = fc.constantFrom(
    'title: x',
    '- a',
    '&a [*a]',
    '<<: *b',
    '? ',
    '!!js/function x',
    ': ',
    '"',
    '---',
    '\t',
    'id: lrn-x-000001',
    'tags: [',
    '{}',
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(fc.oneof(token, fc.string()), { maxLength: 12 }).map((lines) => lines.join('\n')),
  );
  fc.assert(
    fc.property(text, text, fc.option(text), (front, body, sidecar) => {
      try {
        parseDocument({ markdown: `---\n${front}\n---\n${body}`, sidecar });
      } catch (error) {
        expect(error).toBeInstanceOf(DocumentProblem);
      }
    }),
    { numRuns: RUNS * 10 },
  );
});

test('whatever the settings of a repository say, they are used or told as a problem', () => {
  const root = tempFolder();
  mkdirSync(join(root, '.reflect'));
  const knobs = KNOBS.map(({ knob }) => knob);
  const token = fc.constantFrom(
    '[events.on]',
    'RECALL_RRF_K = 3',
    'REFLECT_COMMAND = "rm"',
    'a = [',
    '"""',
    "'''",
    '[[a]]',
    '= 1',
    '\u0000',
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(fc.oneof(token, fc.string()), { maxLength: 8 }).map((lines) => lines.join('\n')),
  );
  fc.assert(
    fc.property(text, (content) => {
      writeFileSync(join(root, '.reflect', 'config.toml'), content);
      const settings = new Settings(join(root, 'home.toml'), {}, knobs);
      expect(typeof settings.projectProblem(root)).toBe('string');
    }),
    { numRuns: RUNS * 4 },
  );
});

async function readAll(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    for await (const { chunks } of readTar(file)) for await (const _ of chunks());
  } finally {
    await file.close();
  }
}

test(
  'whatever is done to the bytes of an archive, it is refused with a reason and nothing changes',
  LONG,
  async () => {
    const good = archivePath();
    await exportArchive(partsOf(fullStore()), good, { replace: false, report: silent });
    const bytes = readFileSync(good);
    const store = tempStore();
    const bad = archivePath();
    const damage = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(damage, fc.nat(bytes.length), async (changes, length) => {
        const copy = Buffer.from(bytes);
        for (const [at, byte] of changes) copy[at] = byte;
        writeFileSync(bad, length % 3 === 0 ? copy.subarray(0, length) : copy);
        for (const read of [() => readAll(bad), () => inspectArchive(partsOf(store), bad, silent)])
          await read().catch((error: unknown) => expect(error).toBeInstanceOf(DaemonError));
      }),
      { numRuns: RUNS },
    );
    expect(store.db.prepare('SELECT count(*) FROM learning').pluck().get()).toBe(0);
  },
);
