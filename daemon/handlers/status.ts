import { existsSync, writeFileSync } from 'node:fs';
import type { Inbox } from '#contract/distill.ts';
import type { Handlers } from '#contract/methods.ts';
import type { WatchedFolder } from '../capture/protocol.ts';
import { AGENTS } from '../transcripts/agents.ts';
import { UNNAMED } from '../transcripts/folders.ts';
import { isReadOnly } from '#contract/run-folder.ts';
import { freeBytes } from '../platform/home-folder.ts';
import { fileStat } from '../platform/read-file.ts';
import { hasAgreed } from '../drain/consent.ts';
import { dayOf } from '../drain/writers/llm/budget.ts';
import { countByStatus, countDocumentProblems } from '../store/learnings/learnings.ts';
import { spaceNotices, STORAGE_SENTENCES } from '../store/health.ts';
import { getMeta, LOST, redactionCounts, setMeta } from '../store/meta.ts';
import { followUpRate, recallSpeed } from '../store/outcomes/recall-log.ts';
import { partSizes } from '../store/sizes.ts';
import { type AgentTotals, totalsBelow } from '../store/capture/transcripts.ts';
import { countQueue } from '../store/capture/moments.ts';
import { tokensSince } from '../store/capture/writer-usage.ts';
import type { DaemonParts } from './daemon-parts.ts';
import { countWaiting } from './inbox.ts';

export function statusHandlers(parts: DaemonParts, inbox: () => Inbox) {
  const {
    store: { db },
    paths,
    capture,
  } = parts;
  const countsOf = countedOnce(parts);
  return {
    status: () => {
      const counts = countsOf();
      const documentProblems = countDocumentProblems(db);
      return {
        version: parts.version,
        pid: process.pid,
        node: process.version,
        home: paths.home,
        userHome: parts.installContext.home,
        startedAt: parts.startedAt,
        notices: noticesOf(parts),
        databaseLost: Boolean(getMeta(db, LOST)),
        rssBytes: process.memoryUsage.rss(),
        learnings: counts.active ?? 0,
        proposed: counts.proposed ?? 0,
        candidates: counts.candidate ?? 0,
        queue: countQueue(db),
        attention: countWaiting(inbox()),
        capture: capture.state,
        agreed: hasAgreed(parts.store, parts.settings),
        progress: capture.progress,
        sources: sources(parts),
        redactions: redactionCounts(db),
        models: parts.inference.models(),
        index: indexState(parts),
        recall: { ...recallSpeed(db), followUpRate: followUpRate(db), ...parts.recallGauge.read() },
        // The latest writes are still in the write-ahead log beside it.
        databaseBytes: bytesOf(paths.database) + bytesOf(`${paths.database}-wal`),
        documentProblems,
        tokensSpentToday: tokensSince(db, dayOf(parts.now()).start),
      };
    },
    'store.sizes': () => partSizes(db),
    'writers.status': () => parts.writer.status(),
    'daemon.stop': () => {
      keepHooksFromStarting(paths);
      setImmediate(parts.stop); // after the answer is sent
      return { ok: true };
    },
    'confirmations.answer': ({ id, answer }) => {
      parts.confirmations.answer(id, answer);
      return { ok: true };
    },
    'ui.code': () => ({ url: parts.openUrl() }),
    'ui.revoke': () => ({ ended: parts.revokeBrowsers() }),
  } satisfies Partial<Handlers>;
}

/** A disk that takes no file must not keep the daemon from stopping. */
function keepHooksFromStarting({ stayStopped }: DaemonParts['paths']): void {
  try {
    writeFileSync(stayStopped, '');
  } catch {
    // a hook may start it again
  }
}

const noticesOf = (parts: DaemonParts): string[] => [
  ...storageNotices(parts),
  ...lossNotices(parts),
  ...parts.startNotices,
  ...parts.incidents.notices,
  ...settingsNotices(parts),
  ...parts.drain.notices,
  ...writerNotices(parts),
];

/** Tries to write again, so that the notice ends with the problem; open files stay writable in a read-only folder. */
function storageNotices({ store: { db }, paths, now }: DaemonParts): string[] {
  const problem =
    db.health.check(() => setMeta(db, STORABLE, String(now()))) ??
    (isReadOnly(paths.home) ? 'read-only' : null);
  return problem ? [STORAGE_SENTENCES[problem]] : spaceNotices(freeBytes(paths.home));
}

function lossNotices({ store: { db } }: DaemonParts): string[] {
  if (!getMeta(db, LOST)) return [];
  return [
    'The database was missing. Your notes were read again from their files; slots, history and decisions are in the backups. Restore one in Settings › Status or with `reflect restore latest --keep-notes`, or continue without one (`reflect restore --none`). Until then no transcripts are read.',
  ];
}

const STORABLE = 'last-write-check';
/** Counts again only after a change: the status is requested every few seconds. */
function countedOnce({ store: { db }, log }: DaemonParts): () => Record<string, number> {
  let known: Record<string, number> | null = null;
  db.changes.subscribe(
    () => (known = null),
    (error) => log.error('counting learnings', error),
  );
  return () => (known ??= countByStatus(db));
}

const bytesOf = (file: string) => fileStat(file)?.size ?? 0;
const settingsNotices = ({ settings: { homeProblem } }: DaemonParts) =>
  homeProblem ? [`The last edit of config.toml does not count: ${homeProblem}.`] : [];

const writerNotices = ({ writer: { name, problem } }: DaemonParts) =>
  problem ? [`Notes are written without ${name}, which is not available here: ${problem}.`] : [];

/** Recall searches by the first embedder; the index is complete when every embedder has caught up. */
function indexState({ vectorIndexes }: DaemonParts) {
  const [first, ...others] = vectorIndexes.map((index) => index.state());
  if (!first) return { vectors: 0, waiting: 0, state: 'lexical-only' as const };
  const waiting = first.waiting + others.reduce((sum, other) => sum + other.waiting, 0);
  return {
    vectors: first.vectors,
    waiting,
    state: first.state === 'ready' && waiting > 0 ? ('building' as const) : first.state,
  };
}

const NOTHING_READ: Omit<AgentTotals, 'agent'> = {
  files: 0,
  bytes: 0,
  bytesRead: 0,
  records: 0,
  badLines: 0,
  unknown: {},
  lastEventAt: null,
};

function knownFolders({ home, environment }: DaemonParts['installContext']): WatchedFolder[] {
  return AGENTS.flatMap((adapter) =>
    adapter
      .roots(home, environment)
      .map((folder) => ({ agent: adapter.agent, folder, present: existsSync(folder) })),
  );
}

/** Each watched folder with the totals of the files read in it. */
function sources({ store: { db }, capture, installContext }: DaemonParts) {
  // Before a person agreed no thread runs; the folders can be named all the same.
  const folders = capture.folders.length > 0 ? capture.folders : knownFolders(installContext);
  return folders.flatMap(({ agent, folder, present }) => {
    const totals = present ? totalsBelow(db, folder) : [];
    // A folder without a name may hold sessions of several agents.
    const own = agent === UNNAMED ? totals : totals.filter((total) => total.agent === agent);
    return (own.length > 0 ? own : [{ ...NOTHING_READ, agent }]).map((total) => ({
      ...total,
      folder,
      present,
    }));
  });
}
