import type { Captured } from '../capture/captured.ts';
import type { Batch } from '../capture/protocol.ts';
import { ingestBatch } from '../drain/ingest.ts';
import type { Store } from '../store/learnings/write.ts';

const PROJECT = { id: 'github.com/acme/shop', name: 'shop', root: '/home/ada/shop' };

/** The batch that the capture thread would send of it. */
function batchOf(captured: Captured, path: string): Batch {
  return {
    position: { agent: 'claude-code', path, fingerprint: '0:', position: 1, size: 1 },
    counts: { records: 1, badLines: 0, unknown: {}, lastEventAt: null },
    moments: captured.moments.map(({ cwd: _cwd, ...moment }) => ({ ...moment, project: PROJECT })),
    effects: captured.effects.map(({ cwd: _cwd, ...effect }) => ({ ...effect, project: PROJECT })),
    continuations: captured.continuations,
    complete: captured.complete,
    voided: captured.voided,
    sessions: captured.sessions.map(({ cwd: _cwd, ...sign }) => ({ ...sign, project: PROJECT })),
    redactions: {},
    caughtUp: true,
    sweptMtime: null,
  };
}

/** Takes it into the store as the daemon does. */
export function ingestCaptured(
  store: Store,
  captured: Captured,
  { path = '/transcripts/one.jsonl', sessionsNeeded = 2 } = {},
) {
  return ingestBatch(store, batchOf(captured, path), { settleMs: 0, sessionsNeeded });
}
