import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { backUp } from './store/backups.ts';
import { noteEffect } from './store/capture/effects.ts';
import { connect } from './store/connection.ts';
import { pathsOf } from './platform/paths.ts';
import { ClaudeSession } from './testing/claude-session.ts';
import { runDaemon, type RunningDaemon, temporaryHome } from './testing/running-daemon.ts';
import { putTranscript, transcriptPath } from './testing/transcript.ts';

/** Every file of the home that holds the word, in any case; database pages, logs and backups among them. */
function holding(home: string, word: string): string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).toString('latin1').toLowerCase().includes(word))
    .map((file) => relative(home, file));
}

/** A backup from before, which holds all there is, and an effect of a moment that was taken back since. */
function backUpNow({ home }: RunningDaemon): void {
  const { database, backups } = pathsOf(home);
  const db = connect(database);
  noteEffect(db, { kind: 'void', session: '', at: 0, detail: 'signal.correction:a-record' });
  backUp(db, backups, 'earlier');
  db.close();
}

function project(): string {
  const folder = join(temporaryHome(), 'billing');
  mkdirSync(join(folder, '.git'), { recursive: true });
  writeFileSync(
    join(folder, '.git', 'config'),
    '[remote "origin"]\n\turl = git@github.com:acme/quaggaproject.git\n',
  );
  return folder;
}

test('a learning is deleted with its history, files, events, log lines, vectors and backups', async () => {
  const daemon = await runDaemon();
  const { call, home } = daemon;
  const note = { title: 'Feed the axolotlword twice', fix: 'axolotlword pellets', scope: 'global' as const };
  const { learning } = await call('learnings.create', { note });
  await call('learnings.update', { id: learning.id, patch: { body: 'The axolotlword is back' } });
  await call('recall.search', { query: 'how often is the axolotlword fed' });
  await call('traces.create', { task: 'Feed all', trajectory: [], retrievedMemoryIds: [learning.id] });
  await call('learnings.archive', { id: learning.id });
  const { learning: naming } = await call('learnings.create', {
    note: {
      title: 'Feed everyone',
      body: `Based on 2 learnings:\n\n- ${note.title} (${learning.id})\n- Another`,
      scope: 'global',
      status: 'superseded',
      supersededBy: learning.id,
      metadata: { sources: [learning.id, 'lrn-another'] },
    },
  });
  const { learning: other } = await call('learnings.create', {
    note: { title: 'Keep the pangolinword', scope: 'global' },
  });
  writeFileSync(join(home, 'logs', 'daemon.log'), `a line on ${learning.id}\nanother\n`, { flag: 'a' });
  backUpNow(daemon);
  await expect.poll(() => holding(home, 'axolotlword').length).toBeGreaterThan(4);

  const deleted = await call('learnings.delete', { ids: [learning.id] });
  expect(deleted).toMatchObject({ learnings: 1, files: 2 });
  expect(await call('learnings.get', { id: naming.id })).toMatchObject({
    supersededBy: null,
    metadata: { sources: ['lrn-another'] },
    body: 'Based on 2 learnings:\n\n- Another',
  });
  expect(deleted.notices[0]).toBe('Earlier backups were deleted and replaced by a new one.');
  expect(holding(home, 'axolotlword')).toEqual([]);
  expect(holding(home, 'pangolinword').some((file) => file.startsWith('backups'))).toBe(true);
  expect(readFileSync(join(home, 'logs', 'daemon.log'), 'utf8')).toContain('another');
  await expect(call('learnings.get', { id: learning.id })).rejects.toThrow(/No learning/);
  expect((await call('recall.search', { query: 'pangolinword' })).hits.map((hit) => hit.learning.id)).toEqual(
    [other.id],
  );
  await call('changes.undo', {}); // the newest change that can be undone is that of the other note
  await daemon.stop();
  expect(holding(home, 'axolotlword')).toEqual([]);
});

test('a session is deleted with its moments and learnings, and is not noticed again', async () => {
  const daemon = await runDaemon();
  const { call, home } = daemon;
  const session = new ClaudeSession({ cwd: '/home/ada/shop' });
  const path = transcriptPath(daemon, session);
  const lines =
    session.human("no, don't use numbatword here, we never use numbatword in this project") +
    session.agent("You're right, I will not use numbatword.");
  putTranscript(path, lines);
  await expect
    .poll(async () => (await call('capture.moments', {})).map(({ learningId }) => learningId !== null))
    .toEqual([true]);
  backUpNow(daemon);
  expect(holding(home, 'numbatword').length).toBeGreaterThan(2);

  expect(await call('sessions.delete', { session: session.id })).toMatchObject({
    learnings: 1,
    moments: 1,
  });
  expect(holding(home, 'numbatword')).toEqual([]);
  expect(await call('sessions.list', {})).toEqual([]);

  writeFileSync(path, ''); // the file is written again, so it is read again from its start
  await pause(300);
  writeFileSync(path, lines);
  await pause(2_000);
  expect(await call('capture.moments', {})).toEqual([]);
  await daemon.stop();
  expect(holding(home, 'numbatword')).toEqual([]);
});

test('a project is deleted with its notes, slots, questions, recalls and facts', async () => {
  const daemon = await runDaemon();
  const { call, home } = daemon;
  const cwd = project();
  const id = 'github.com/acme/quaggaproject';
  await call('learnings.create', { note: { title: 'Groom the okapiword', project: id } });
  await call('slots.append', { project: id, name: 'project_context', text: 'all about the okapiword' });
  await call('recall.search', { cwd, query: 'how is the okapiword groomed' });
  await call('recall.search', { cwd, query: 'unrelated okapiword zeppelin' });
  await call('facts.add', { cwd, text: 'The okapiword is striped', category: 'project' });
  const session = new ClaudeSession({ cwd });
  const run = session.toolCall('Bash', { command: 'npm run test:okapiword' }, 'call');
  putTranscript(
    transcriptPath(daemon, session),
    session.human('Run the tests') + run + session.toolResult('call', 'ok'),
  );
  const db = connect(pathsOf(home).database);
  await expect.poll(() => db.prepare('SELECT count(*) FROM effect').pluck().get()).toBe(1);
  db.close();
  backUpNow(daemon);
  expect(holding(home, 'okapiword').length).toBeGreaterThan(3);
  expect((await call('projects.delete', { project: id })).learnings).toBe(2);
  expect(holding(home, 'okapiword')).toEqual([]);
  expect(holding(home, 'quaggaproject')).toEqual([]);
});

test('an ignored project, folder or agent is neither read, recorded nor injected', async () => {
  const daemon = await runDaemon();
  const { call } = daemon;
  const cwd = project();
  const said = (tool: string) => {
    const session = new ClaudeSession({ cwd });
    const text =
      session.human(`no, don't use ${tool} here, we never use ${tool} in this project`) +
      session.agent(`You're right, I will not use ${tool}.`);
    putTranscript(transcriptPath(daemon, session), text);
  };
  const noticed = async () => (await call('capture.moments', {})).length;
  said('npm');
  await expect.poll(noticed).toBe(1);
  const start = () =>
    call('hook.run', {
      agent: 'claude-code',
      event: 'SessionStart',
      payload: { session_id: 's', cwd, source: 'startup' },
    });
  await expect.poll(async () => (await start()).output).toContain('npm');

  const ignored = await call('capture.ignore', { folder: cwd, delete: true });
  expect(ignored).toMatchObject({
    rule: 'project:github.com/acme/quaggaproject',
    deleted: { learnings: 1 },
  });
  expect((await start()).output).toBe('');
  await expect(call('learnings.learn', { cwd, rule: 'Use the tapirword' })).rejects.toThrow(/ignored/);
  const task = 'Feed the tapirword';
  const memory = { cwd, task, summary: task, guidance: task, result: 'pass' as const };
  await expect(call('memories.create', memory)).rejects.toThrow(/ignored/);
  await expect(call('facts.add', { cwd, text: task, category: 'project' })).rejects.toThrow(/ignored/);
  await call('recall.search', { cwd, query: task });
  await call('memories.query', { cwd, task });
  await call('experience.query', { cwd, task });
  expect(holding(daemon.home, 'tapirword')).toEqual([]);
  said('jest');
  await pause(2_000);
  expect(await noticed()).toBe(0);

  expect((await call('capture.unignore', { rule: 'github.com/acme/quaggaproject' })).rules).toEqual([]);
  said('webpack');
  await expect.poll(noticed).toBe(1);

  writeFileSync(join(cwd, '.reflectignore'), '# leave this alone\n');
  said('mocha');
  await pause(1_500);
  expect(await noticed()).toBe(1);
  expect((await start()).output).toBe('');

  await call('capture.ignore', { agent: 'claude-code' });
  const { sources } = await call('status', {});
  await expect
    .poll(async () => (await call('status', {})).sources.some(({ agent }) => agent === 'claude-code'))
    .toBe(false);
  expect(sources.length).toBeGreaterThan(0);
  await expect(call('capture.ignore', { agent: 'clod' })).rejects.toThrow(/not an agent that Reflect reads/);
});

test('what an agent wrote while it was ignored stays out when it is read again, also when reading starts again', async () => {
  const daemon = await runDaemon();
  const { call } = daemon;
  const cwd = project();
  const said = (tool: string, at: number) => {
    const session = new ClaudeSession({ cwd, at });
    const words = `no, don't use ${tool} here, we never use ${tool} in this project`;
    putTranscript(
      transcriptPath(daemon, session),
      session.human(words) + session.agent(`You're right, no more ${tool}.`),
    );
  };
  const noticed = async () =>
    (await call('capture.moments', {})).map(({ quote }) => /use (\w+) here/.exec(quote)?.[1]).toSorted();
  const isRead = async () =>
    (await call('status', {})).sources.some(({ agent, files }) => agent === 'claude-code' && files > 0);
  said('npm', Date.now());
  await expect.poll(noticed).toEqual(['npm']);
  await call('capture.ignore', { agent: 'claude-code' });
  await expect.poll(isRead).toBe(false);
  said('jest', Date.now() - 60_000);
  await call('capture.unignore', { rule: 'agent:claude-code' });
  await expect.poll(isRead).toBe(true);
  said('webpack', Date.now());
  await expect.poll(noticed).toEqual(['npm', 'webpack']);
  // A setting of the thread starts it again, as a restart does.
  await call('config.set', { name: 'REFLECT_CAPTURE_BAR', value: 0.2 });
  said('mocha', Date.now());
  await expect.poll(noticed).toEqual(['mocha', 'npm', 'webpack']);
});
