import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Note } from '#contract/entities.ts';
import { withKnobs } from '../drain/testing.ts';
import { learn } from '../knowledge/revise.ts';
import { silentLog } from '../platform/log.ts';
import { learningsOfType } from '../store/learnings/find.ts';
import { openStore } from '../store/open.ts';
import { pathsOf } from '../platform/paths.ts';
import { judgeTrace } from '../store/outcomes/traces.ts';
import { ClaudeSession } from '../testing/claude-session.ts';
import { runDaemon, temporaryHome } from '../testing/running-daemon.ts';
import { recordCommits, tempStore } from '../testing/temp-home.ts';
import { addExperience } from './experience/keep.ts';
import { createOutcomeUpkeep } from './upkeep.ts';

/** Stamps the lines with the present: a recall now is judged only by an outcome after it. */
const said = (lines: string) => {
  let at = Date.now();
  return lines.replaceAll(/"timestamp":"[^"]+"/g, () => `"timestamp":"${new Date(at++).toISOString()}"`);
};

test('a session that recalls a note and is then corrected judges the note by itself, once, and says why', async () => {
  const { call, agentsHome } = await runDaemon();
  const { learning } = await call('learnings.create', {
    note: { title: 'Bump the proto and push', scope: 'global' },
  });
  const session = new ClaudeSession({ cwd: join(temporaryHome(), 'shop') });
  await call('recall.search', { query: 'bump the proto', session: session.id });
  const folder = join(agentsHome, '.claude', 'projects', '-home-ada-shop');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${session.id}.jsonl`),
    said(
      session.human('Bump the proto') +
        session.agent('I bumped payments.proto and pushed.') +
        session.human("no, don't bump payments.proto without regenerating the clients, run make proto-gen") +
        session.agent("You're right."),
    ),
  );
  await expect
    .poll(() => call('memories.history', { id: learning.id }))
    .toMatchObject([
      {
        source: 'correction',
        result: 'fail',
        alpha: 0.1,
        qBefore: 0.5,
        qAfter: 0.45,
        session: session.id,
        reason: expect.stringContaining("corrected: no, don't bump") as string,
      },
    ]);
});

test('a run that was judged just before a stop has its memory written after the next start', async () => {
  const first = await runDaemon();
  const { trace } = await first.call('traces.create', { task: 'Import the customer file' });
  await first.stop();
  const { db } = openStore(pathsOf(first.home).database, pathsOf(first.home).backups);
  judgeTrace(db, trace.id, {
    result: 'fail',
    alpha: 0.3,
    feedback: 'Never guess the encoding, always detect it.',
    reviewedAt: 1,
  });
  db.close();
  const { call } = await runDaemon({}, first.home);
  await expect.poll(async () => (await call('traces.get', { id: trace.id })).trace.memoryId).not.toBeNull();
  expect((await call('learnings.list', {})).items).toHaveLength(1);
});

test('experiences are merged once a day, and cleaned up unless that is switched off', async () => {
  const store = tempStore();
  const keep = (note: Note, reason: string) => learn(store, note, reason, 'test');
  for (const task of ['One', 'Two', 'Three'])
    addExperience(store, keep, {
      task,
      outcome: 'success',
      category: 'coding',
      quality: 3,
      lessons: `Lesson of ${task}.`,
      keywords: [],
      trace: '',
      session: '',
    });
  const commits = recordCommits(store.db);
  const look = (knobs = {}) =>
    createOutcomeUpkeep({
      store,
      log: silentLog,
      resolve: withKnobs(knobs),
      resolver: () => withKnobs(knobs),
      ask: () => Promise.resolve(null),
      keep,
    }).run();
  const counts = () =>
    (['principle', 'experience'] as const).map(
      (type) => learningsOfType(store.db, { type, statuses: ['active', 'proposed'] }).length,
    );
  await look();
  expect([counts(), commits.length > 0]).toEqual([[1, 3], true]);
  store.tick(200 * 86_400_000);
  await look({ REFLECT_EXPERIENCE_CLEANUP: false });
  expect(counts()).toEqual([1, 3]);
  store.tick(86_400_000);
  await look();
  await look();
  expect(counts()).toEqual([1, 0]);
});
