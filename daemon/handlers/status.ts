import { statSync } from 'node:fs';
import type { Handlers } from '#contract/methods.ts';
import { countByStatus, countDocumentProblems } from '../store/learnings.ts';
import { countersWith } from '../store/meta.ts';
import { countOpenQuestions } from '../store/questions.ts';
import { recallSpeed } from '../store/recall-log.ts';
import { totalsByAgent } from '../store/transcripts.ts';
import { countQueue } from '../store/windows.ts';
import type { DaemonParts } from './daemon-parts.ts';

type Methods = 'status' | 'daemon.stop' | 'ui.code';

export function statusHandlers(parts: DaemonParts): Pick<Handlers, Methods> {
  const { store: { db }, paths, capture } = parts;
  return {
    status: () => {
      const counts = countByStatus(db);
      const documentProblems = countDocumentProblems(db);
      return {
        version: parts.version,
        pid: process.pid,
        node: process.version,
        home: paths.home,
        startedAt: parts.startedAt,
        notices: parts.startNotices,
        rssBytes: process.memoryUsage.rss(),
        learnings: counts.active ?? 0,
        proposed: counts.proposed ?? 0,
        queue: countQueue(db),
        attention: countOpenQuestions(db) + documentProblems,
        capture: capture.state,
        sources: sources(parts),
        redactions: countersWith(db, 'redacted:'),
        models: parts.inference.models(),
        index: parts.vectorIndex.state(),
        recall: recallSpeed(db),
        databaseBytes: statSync(paths.database, { throwIfNoEntry: false })?.size ?? 0,
        documentProblems,
        tokensSpentToday: 0, // the heuristic writer, the only one so far, asks no model
      };
    },
    'daemon.stop': () => {
      setImmediate(parts.stop); // after the answer is out
      return { ok: true };
    },
    'ui.code': () => ({ url: parts.openUrl() }),
  };
}

/** Each watched folder with what was read below it. */
function sources({ store: { db }, capture }: DaemonParts) {
  const totals = totalsByAgent(db);
  return capture.folders.map(({ agent, folder, present }) => {
    const total = totals.find((row) => row.agent === agent);
    return {
      agent, folder, present,
      files: total?.files ?? 0, bytes: total?.bytes ?? 0, bytesRead: total?.bytesRead ?? 0, records: total?.records ?? 0,
      badLines: total?.badLines ?? 0, unknown: total?.unknown ?? {}, lastEventAt: total?.lastEventAt ?? null,
    };
  });
}
