import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type * as z from 'zod';
import type { DaemonEvent } from '#contract/status.ts';
import { type Method, METHODS } from '#contract/methods.ts';
import { HookPayload } from '#contract/hooks.ts';
import { connectTo } from '../client/connect.ts';
import { HOOK_EVENTS } from '../hooks/dialect.ts';
import { TOOLS } from '../mcp/tools.ts';
import { pathsOf } from '../platform/paths.ts';
import { enqueueMoment } from '../store/capture/moments.ts';
import { connect } from '../store/connection.ts';
import type { WritableDb } from '../store/db.ts';
import { addGap, askMerge } from '../store/learnings/questions.ts';
import { fillSchema, textsIn, withText } from '../testing/fill-schema.ts';
import { runDaemon, type RunningDaemon, temporaryHome, workingTree } from '../testing/running-daemon.ts';
import { sha256 } from '../platform/sha256.ts';

const LESSON = 'Use pnpm, never npm, to install packages';

/**
 * Every secret that was sent, and where it was put. Made while the test runs, so no scanner takes this file for a leak.
 */
class Secrets {
  readonly sent = new Map<string, string>();

  at(place: string): string {
    const secret = `ghp_${sha256(place).slice(0, 36)}`;
    this.sent.set(secret, place);
    return secret;
  }

  /** The places whose secret occurs in a text; in the index words are written small. */
  foundIn(text: string): string[] {
    const found = new Set(text.toLowerCase().match(/ghp_[0-9a-f]{36}/g));
    return [...found].map((secret) => this.sent.get(secret) ?? secret);
  }
}

/** Names that must exist, or the call would be refused before it stores anything. */
type Prepared = Partial<Record<Method, () => Record<string, unknown> | Promise<Record<string, unknown>>>>;

function preparation({ call, home, agentsHome }: RunningDaemon, cwd: string): Prepared {
  /** Rows that only the daemon itself writes, through a connection of its own. */
  const write = <T>(into: (db: WritableDb) => T): T => {
    const db = connect(pathsOf(home).database);
    try {
      return into(db);
    } finally {
      db.close();
    }
  };
  // A new one each time: another method may have put the last away.
  const learning = async (title = `${LESSON}: ${Math.random()}`) =>
    (await call('learnings.create', { note: { title, scope: 'global' } })).learning.id;
  const loop = async () => (await call('loops.start', { task: 'make it pass' })).id;
  const trace = async () => (await call('traces.create', { task: 'cancel a reservation' })).trace.id;
  const experience = async () =>
    (await call('experience.add', { task: 'cancel', outcome: 'success', lessons: 'read the rules' }))
      .experience.id;
  const observation = async () => {
    const actions = [{ action: 'CREATE' as const, content: 'prefers small commits' }];
    const [id = ''] = (await call('observations.revise', { actions })).createdIds;
    return id || ((await call('observations.list', {}))[0]?.id ?? '');
  };
  const question = async () => {
    const [known, said] = [await learning(), await learning()];
    return write((db) =>
      askMerge({ db, now: () => 1 }, { similarity: 0.9, existingId: known, incomingId: said }),
    );
  };
  const scope = () => ({ cwd, knobs: {}, project: undefined });
  const recall = () => ({
    ...scope(),
    since: '2020-01-01',
    until: '2090-01-01',
    corpus: undefined,
    field: 'rule',
  });
  const known = async () => ({ id: await learning() });
  const asked = () => ({ since: '2020-01-01', until: '2090-01-01', field: 'rule', knobs: {} });
  const corpus = async () => {
    await call('corpus.build', { name: 'known' });
    return { name: 'known' };
  };
  const principle = async () => {
    const note = {
      title: `${LESSON}: ${Math.random()}`,
      type: 'principle',
      status: 'proposed' as const,
      scope: 'global' as const,
    };
    return { id: (await call('learnings.create', { note })).learning.id };
  };
  const candidate = async () => {
    const note = {
      title: `${LESSON}, heard on ${Math.random()}`,
      status: 'candidate' as const,
      scope: 'global' as const,
    };
    return { ids: [(await call('learnings.create', { note })).learning.id] };
  };
  const here = () => ({ cwd, project: undefined });
  const claude = () => {
    mkdirSync(join(agentsHome, '.claude'), { recursive: true });
    return { agent: 'claude-code' as const };
  };
  const skill = async () => {
    const { id } = await known();
    return { path: (await call('skills.promote', { id, ...claude(), cwd })).path };
  };
  const entity = async () => {
    const note = {
      title: `${LESSON}: ${Math.random()}`,
      entities: [{ name: 'pnpm', type: 'tool' as const }],
      scope: 'global' as const,
    };
    await call('learnings.create', { note });
    return { name: 'pnpm' };
  };
  const review = async () => {
    const run = { task: 'install', retrievedMemoryIds: [await learning()] };
    const { reviews } = await call('traces.create', { ...run, review: { result: 'pass' } });
    return { id: reviews[0]?.id, undone: true };
  };
  const gap = () => {
    const asked = { query: 'how do we ship', project: 'shop' };
    write((db) => addGap(db, { ...asked, at: 1, normalized: 'ship', session: 's' }));
    return asked;
  };
  const moment = () => {
    const payload = JSON.stringify({
      quote: 'no, use pnpm',
      type: 'correction',
      speculative: false,
      why: [],
      score: 1,
      span: { start: 0, end: 1 },
      turns: [{ role: 'human', text: 'no, use pnpm', at: 1, trigger: true }],
    });
    const row = { key: String(Math.random()), chunkHash: 'h', signal: 'signal.correction', payload };
    const from = { agent: 'claude-code', session: 's', transcript: join(cwd, 's.jsonl'), project: 'shop' };
    const never = Date.UTC(2090, 0); // it must not be drained meanwhile
    return { id: write((db) => enqueueMoment(db, { ...row, ...from, branch: null, at: 1 }, never)) };
  };
  const archivePath = () => join(temporaryHome(), 'knowledge.tar');
  const archive = async () => ({ path: (await call('archive.export', { path: archivePath() })).path });
  const vault = () => {
    const path = temporaryHome();
    writeFileSync(join(path, 'note.md'), `# ${LESSON}, read on ${Math.random()}\n\nIt is faster.\n`);
    return { path };
  };
  return {
    'imports.detect': vault,
    'imports.preview': vault,
    'imports.run': vault,
    'agents.preview': claude,
    'agents.connect': claude,
    'archive.export': () => ({ path: archivePath() }),
    'archive.inspect': archive,
    'archive.import': async () => ({ ...(await archive()), mode: 'merge' }),
    'capture.dismiss': moment,
    'gaps.close': gap,
    'graph.entity': entity,
    'reviews.undo': review,
    'skills.confirm': skill,
    'skills.demote': skill,
    'recall.search': recall,
    'recall.explain': recall,
    'recall.index': recall,
    'recall.timeline': async () => ({ ...scope(), anchor: await learning() }),
    'backups.preview': async () => {
      await call('backups.make', {});
      return { name: 'latest' };
    },
    'recall.hydrate': async () => ({ ids: [await learning()], field: 'rule' }),
    'recall.inject': () => ({ cwd, knobs: {} }),
    'corpus.build': () => ({ name: 'known', filter: {} }),
    'corpus.query': async () => ({ ...asked(), ...(await corpus()) }),
    'corpus.rebuild': corpus,
    'corpus.drop': corpus,
    'corpus.prime': corpus,
    'traces.create': async () => ({ retrievedMemoryIds: [await learning()] }),
    'traces.review': async () => ({ id: await trace() }),
    'traces.get': async () => ({ id: await trace() }),
    'experience.feedback': async () => ({ id: await experience() }),
    'experience.deprecate': async () => ({ id: await experience() }),
    'loops.get': async () => ({ id: await loop() }),
    'loops.abort': async () => ({ id: await loop() }),
    'loops.export': async () => ({ id: await loop(), cwd }),
    'loops.import': () => {
      mkdirSync(join(cwd, '.aiwg', 'ralph', 'reflections'), { recursive: true });
      return { cwd };
    },
    'reflections.append': async () => ({ loop_id: await loop(), iteration: undefined }),
    'reflections.window': async () => ({ loopId: await loop() }),
    'reflections.context': async () => ({ loopId: await loop(), maxTokens: 200 }),
    'reflections.analyze': async () => ({ loopId: await loop() }),
    'observations.history': async () => ({ id: await observation() }),
    'merges.resolve': async () => ({ id: await question() }),
    'memories.history': known,
    'learnings.get': known,
    'learnings.update': async () => ({ ...(await known()), seenUpdatedAt: undefined }),
    'learnings.learn': () => ({ cwd }),
    'learnings.archive': known,
    'learnings.restore': known,
    'learnings.history': known,
    'learnings.excerpt': known,
    'learnings.changeMany': async () => ({ ids: [await learning()] }),
    'candidates.keep': candidate,
    'candidates.drop': candidate,
    'principles.decide': principle,
    'skills.preview': async () => ({ ...(await known()), agent: 'claude-code', cwd, name: undefined }),
    'skills.promote': async () => ({ ...(await known()), agent: 'claude-code', cwd, name: undefined }),
    'slots.get': () => ({ project: '', name: 'persona' }),
    'slots.history': () => ({ project: '', name: 'persona' }),
    'slots.remove': () => ({ project: '', name: 'persona' }),
    'slots.create': () => ({ name: 'of_our_own', sizeLimit: 2_000 }),
    'slots.append': () => ({ project: '', name: 'persona' }),
    'slots.replace': () => ({ project: '', name: 'persona' }),
    'slots.configure': () => ({ project: '', name: 'tool_guidelines', sizeLimit: 2_000 }),
    'slots.order': () => ({ project: '', names: ['persona'] }),
    'slots.write': () => ({ project: '', name: 'persona', own: '' }),
    'slots.decide': async () => {
      await call('slots.write', { project: '', name: 'persona', kind: 'append', text: 'x', own: 'p' });
      return { id: (await call('slots.proposals', {}))[0]?.id };
    },
    'slots.undo': async () => {
      await call('slots.append', { project: '', name: 'user_preferences', text: 'short answers' });
      return { changeId: (await call('slots.history', { project: '', name: 'user_preferences' }))[0]?.id };
    },
    'changes.undo': async () => {
      await learning(`${LESSON}, said on ${Math.random()}`);
      return { changeId: undefined };
    },
    'conventions.link': here,
    'conventions.unlink': async () => {
      await call('conventions.link', { cwd });
      return { cwd };
    },
    'conventions.get': here,
    'conventions.refresh': here,
    'persona.list': here,
    'observations.list': here,
    'facts.list': here,
    'facts.add': here,
    'memories.query': () => ({ ...here(), metadataFilter: undefined }),
    'memories.augment': () => ({ ...here(), metadataFilter: undefined }),
    'capture.commit': () => ({ cwd, sha: 'abcdef0123' }),
    'capture.ignore': () => ({ folder: undefined, project: undefined, agent: 'goose' }),
    'capture.unignore': async () => {
      await call('capture.ignore', { agent: 'codex' });
      return { rule: 'agent:codex' };
    },
    'config.set': () => ({ name: 'RECALL_MMR', value: false }),
    'hook.run': () => ({ agent: 'claude-code', event: 'UserPromptSubmit' }),
  };
}

/** All that is kept anywhere: what the database says, every file byte for byte, what was announced. */
function everything(home: string, events: readonly DaemonEvent[]): string {
  const db = new Database(pathsOf(home).database, { readonly: true });
  const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  const rows = tables.map((table) => {
    try {
      return JSON.stringify(db.prepare(`SELECT * FROM "${table}"`).all());
    } catch {
      return ''; // a virtual table whose extension is not loaded here; what it keeps lies in plain tables beside it
    }
  });
  db.close();
  const files = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => `${file.name}\n${readFileSync(join(file.parentPath, file.name), 'latin1')}`);
  return [...rows, ...files, JSON.stringify(events)].join('\n');
}

/**
 * Asked for, and refused: they take only ids of models, which they would download, names of imports that wait, keys, or
 * spaces and folders of a team.
 */
const REFUSED: readonly Method[] = [
  'models.get',
  'backups.restore',
  'archive.decide',
  'keys.trust',
  'keys.remove',
  'confirmations.answer',
  ...(Object.keys(METHODS) as Method[]).filter((method) => method.startsWith('team.')),
];
/** It has no text, and would end the test. */
const NOT_ASKED: readonly Method[] = ['daemon.stop'];
/** A setting is kept as it was written: it may be a command line or an address. See the test of its own. */
const KEPT_AS_SENT: readonly string[] = ['config.set value'];

/** Every method, in an order that the table does not choose: each must be accepted whatever was called before it. */
const SHUFFLED = (Object.keys(METHODS) as Method[])
  .map((method) => ({ method, rank: sha256(method) }))
  .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
  .map(({ method }) => method);

/** A value for every form of a method's input, with a secret in every text that takes one. */
function inputsOf(place: string, input: z.ZodType, secrets: Secrets, formed: readonly string[]) {
  const texts = { free: (path: string) => secrets.at(`${place} ${path}`), formed };
  return fillSchema(input, texts) as Array<Record<string, unknown>>; // the input of a method is an object
}

/** A daemon that knows a lesson, what it announces, and a way to see what is left of the secrets it was sent. */
async function watchedDaemon() {
  const daemon = await runDaemon();
  const open = await connectTo(pathsOf(daemon.home));
  if (!open) throw new Error('the daemon does not answer');
  onTestFinished(() => open.close());
  const events: DaemonEvent[] = [];
  await open.connection.subscribe((event) => events.push(event));
  const note = { title: LESSON, rule: 'pnpm install', scope: 'global' as const };
  const { id } = (await daemon.call('learnings.create', { note })).learning;
  const secrets = new Secrets();
  return {
    ...daemon,
    send: open.connection.send,
    secrets,
    events,
    id,
    formed: [id, 'ralph-loop', 'guidance', 'abcdef0123', '2026-01-01T00:00:00Z'],
    leaked: () => secrets.foundIn(everything(daemon.home, events)),
  };
}

test('a secret in any text of any method is stored nowhere', { timeout: 240_000 }, async () => {
  const daemon = await watchedDaemon();
  const { secrets, send } = daemon;
  const prepared = preparation(daemon, workingTree());
  const refused: string[] = [];
  for (const method of SHUFFLED) {
    if (NOT_ASKED.includes(method)) continue;
    for (const filled of inputsOf(method, METHODS[method].input, secrets, daemon.formed)) {
      const known = (await prepared[method]?.()) ?? {};
      const input = { ...filled, ...known };
      const reply = await send(method, input);
      if (!reply.ok && !REFUSED.includes(method)) refused.push(`${method}: ${reply.code} ${reply.detail}`);
      // A text with a form of its own, or one that was given a value above, is tried alone.
      for (const [path, text] of textsIn(input)) {
        const place = `${method} ${path}`;
        if (!secrets.sent.has(text) && !KEPT_AS_SENT.includes(place))
          await send(method, withText(input, path, secrets.at(place)));
      }
      for (const key of Object.keys(known).filter((each) => textsIn(filled[each]).length > 0))
        if (!KEPT_AS_SENT.includes(`${method} ${key}`)) await send(method, { ...input, [key]: filled[key] });
    }
  }
  expect(refused).toEqual([]);
  expect(secrets.sent.size).toBeGreaterThan(300);
  expect(daemon.leaked()).toEqual([]);
});

test('a setting keeps a secret as it was written, in the configuration and nowhere else', async () => {
  const { call, secrets, home, leaked } = await watchedDaemon();
  const value = `["agent", "--key", "${secrets.at('command')}"]`;
  const { config } = pathsOf(home);
  await call('config.set', { name: 'REFLECT_WRITER_COMMAND', value });
  expect(readFileSync(config, 'utf8')).toContain(secrets.at('command'));
  rmSync(config);
  expect(leaked()).toEqual([]);
});

test('a lookup finds any text, and every secret redacted elsewhere is counted', async () => {
  const { call, secrets } = await watchedDaemon();
  expect((await call('status', {})).redactions).toEqual({});
  await call('learnings.list', { text: secrets.at('a look-up') });
  expect((await call('status', {})).redactions).toEqual({});
  const { learning } = await call('learnings.create', {
    note: { title: `Sign with ${secrets.at('title')}`, tags: [secrets.at('tag')], scope: 'global' },
    reason: secrets.at('reason'),
  });
  expect(learning).toMatchObject({
    title: 'Sign with [redacted github token]',
    tags: ['[redacted github token]'],
  });
  expect((await call('status', {})).redactions).toEqual({ 'github token': 3 });
});

test('an address stays as it is, and a name that holds a secret is refused', async () => {
  const { call, secrets, home } = await watchedDaemon();
  const cwd = join(home, secrets.at('folder'));
  mkdirSync(join(cwd, '.git'), { recursive: true });
  writeFileSync(join(cwd, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  expect((await call('conventions.get', { cwd })).project).toContain(cwd);
  await expect(call('slots.create', { project: '', name: secrets.at('slot'), content: 'x' })).rejects.toThrow(
    /lower-case letters, digits/,
  );
});

test('a secret in any text of a hook is kept nowhere', async () => {
  const { secrets, call, leaked, id } = await watchedDaemon();
  const cwd = workingTree();
  let injected = 0;
  for (const event of HOOK_EVENTS) {
    const [payload = {}] = inputsOf(event, HookPayload, secrets, []);
    const { output } = await call('hook.run', {
      agent: 'claude-code',
      event,
      payload: {
        ...payload,
        cwd,
        prompt: `how do we install packages, npm or pnpm? ${String(payload.prompt)}`,
        tool_input: { command: `npm install packages ${secrets.at(`${event} command`)}` },
        transcript_path: join(cwd, 'session.jsonl'),
      },
    });
    if (output.includes(LESSON)) injected++;
  }
  expect(injected).toBeGreaterThan(0);
  expect(await call('uses.list', { learning: id })).toMatchObject([{ session: '[redacted github token]' }]);
  expect(leaked()).toEqual([]);
});

test('a secret in any text of an MCP tool is kept nowhere', async () => {
  const daemon = await watchedDaemon();
  const { secrets, run, formed, call, id } = daemon;
  const client = new Client({ name: 'test', version: '1' });
  const cwd = workingTree();
  const address = new URL(`http://127.0.0.1:${run.port}/mcp?cwd=${encodeURIComponent(cwd)}`);
  const headers = { authorization: `Bearer ${run.token}` };
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  const loopId = (await call('loops.start', { task: 'make it pass', cwd })).id;
  const known: Record<string, object> = {
    recall_index: { since: undefined, until: undefined },
    recall: { since: undefined, until: undefined, field: undefined },
    recall_hydrate: { ids: [id], field: undefined },
    review: { ids: [id] },
    reflections_append: { loop_id: loopId, iteration: undefined },
    reflections_window: { loopId, maxTokens: 200 },
  };
  const refused: string[] = [];
  for (const { name, method, input = METHODS[method].input } of TOOLS) {
    for (const filled of inputsOf(name, input, secrets, formed)) {
      const { isError, content } = await client.callTool({
        name,
        arguments: { ...filled, cwd: undefined, ...known[name] },
      });
      if (isError) refused.push(`${name}: ${JSON.stringify(content)}`);
    }
  }
  expect(refused).toEqual([]);
  expect(daemon.leaked()).toEqual([]);
});

test('a method announces the events it declares once it has succeeded, and none when it is refused', async () => {
  const { call, events } = await watchedDaemon();
  events.length = 0;
  await expect(call('config.set', { name: 'NO_SUCH_SETTING', value: 1 })).rejects.toThrow();
  await call('recall.calibrate', {});
  expect(events).toEqual([]);
  await call('config.set', { name: 'RECALL_MMR', value: false });
  await expect.poll(() => events).toEqual([{ type: 'settings.changed' }]);
});
