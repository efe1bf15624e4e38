import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { DAY } from '../platform/time.ts';
import type { Learning } from '#contract/entities.ts';
import { pathsOf } from '../platform/paths.ts';
import { ClaudeSession } from '../testing/claude-session.ts';
import { runDaemon, type RunningDaemon } from '../testing/running-daemon.ts';
import { putTranscript, transcriptPath } from '../testing/transcript.ts';
import { decide } from './retract.ts';

const KNOBS = { minRelevance: 0.5, margin: 0.15, askFrom: 0.4 };
const near = (id: string, relevance: number, scope = 'project') => ({
  learning: { id, scope } as Learning,
  relevance,
});

describe('which learning is meant', () => {
  test('the one that is clearly more relevant than every other', () => {
    expect(decide([near('b', 0.3), near('a', 0.6)], KNOBS)).toMatchObject({
      learning: { id: 'a' },
      sure: true,
    });
  });

  test.each([
    ['two are near', [near('a', 0.6), near('b', 0.5)]],
    ['it is not near enough', [near('a', 0.45)]],
    ['everyone sees it', [near('a', 0.9, 'global')]],
  ])('a person is asked when %s', (_why, candidates) => {
    expect(decide(candidates, KNOBS)).toMatchObject({ learning: { id: 'a' }, sure: false });
  });

  test('none when nothing is relevant', () => {
    expect(decide([near('a', 0.39)], KNOBS)).toBeNull();
    expect(decide([], KNOBS)).toBeNull();
  });
});

describe('in a later session', () => {
  const CWD = '/home/ada/shop';
  const CORRECTED = (session: ClaudeSession) =>
    session.human('Install date-fns') +
    session.agent('Running npm install date-fns.') +
    session.human("no, don't use npm in this repository, use pnpm") +
    session.agent('Right, I will use pnpm.');

  function tell(daemon: RunningDaemon, lines: (session: ClaudeSession) => string, daysLater: number): void {
    const session = new ClaudeSession({ cwd: CWD });
    const later = (text: string) =>
      text.replaceAll(
        /"timestamp":"([^"]+)"/g,
        (_, at: string) => `"timestamp":"${new Date(Date.parse(at) + daysLater * DAY).toISOString()}"`,
      );
    putTranscript(transcriptPath(daemon, session), later(lines(session)));
  }
  const statuses = async (daemon: RunningDaemon) =>
    (await daemon.call('learnings.list', {})).items
      .map(({ title, status }) => `${status}: ${title}`)
      .toSorted();

  /** The retractions the daemon has read, and how many of them it has not decided on yet. */
  function retractions({ home }: RunningDaemon): unknown {
    const db = new Database(pathsOf(home).database, { readonly: true });
    try {
      return db
        .prepare(
          `SELECT count(*) AS read, coalesce(sum(waiting), 0) AS waiting FROM effect WHERE kind = 'forget'`,
        )
        .get();
    } finally {
      db.close();
    }
  }

  async function corrected(environment = {}): Promise<RunningDaemon> {
    const daemon = await runDaemon(environment);
    tell(daemon, CORRECTED, 0);
    await expect.poll(() => statuses(daemon)).toEqual([expect.stringMatching(/^active: .*pnpm/i)]);
    return daemon;
  }

  test('a retracted learning is archived with the reason, and one click undoes it', async () => {
    const daemon = await corrected();
    tell(
      daemon,
      (session) =>
        session.human('Forget what I said about npm and pnpm in this repository.') + session.agent('Fine.'),
      1,
    );
    await expect.poll(() => statuses(daemon)).toEqual([expect.stringMatching(/^archived: /)]);
    const [{ id } = { id: '' }] = (await daemon.call('learnings.list', {})).items;
    expect((await daemon.call('learnings.history', { id }))[0]?.reason).toBe(
      'retracted: “Forget what I said about npm and pnpm in this repository.”',
    );
    await daemon.call('changes.undo', {});
    expect(await statuses(daemon)).toEqual([expect.stringMatching(/^active: /)]);
  });

  test('when unsure a person is asked, and the learning stays live until then', async () => {
    const daemon = await corrected({ REFLECT_RETRACT_MIN_RELEVANCE: '0.9' });
    tell(
      daemon,
      (session) =>
        session.human('Forget what I said about npm, pnpm and workspaces.') + session.agent('Fine.'),
      1,
    );
    await expect
      .poll(async () =>
        (await daemon.call('merges.list', {})).map(({ kind, existing, incoming }) => [
          kind,
          existing.status,
          incoming.title,
        ]),
      )
      .toEqual([['contradiction', 'active', 'No longer: npm, pnpm and workspaces.']]);
  });

  test('a learning said since stays, and so does everything when switched off', async () => {
    const daemon = await corrected();
    tell(
      daemon,
      (session) =>
        session.human('Forget what I said about npm and pnpm in this repository.') + session.agent('Fine.'),
      -1,
    );
    const off = await corrected({ REFLECT_RETRACT: 'false' });
    tell(
      off,
      (session) =>
        session.human('Forget what I said about npm and pnpm in this repository.') + session.agent('Fine.'),
      1,
    );
    for (const each of [daemon, off]) {
      await expect.poll(() => retractions(each)).toEqual({ read: 1, waiting: 0 });
      expect(await statuses(each)).toEqual([expect.stringMatching(/^active: /)]);
    }
  });
});
