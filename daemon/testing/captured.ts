import type { Captured } from '../capture/pipeline.ts';
import type { Batch } from '../capture/protocol.ts';
import { takeIn } from '../drain/intake.ts';
import type { Store } from '../store/learning-write.ts';

const PROJECT = { id: 'github.com/acme/shop', name: 'shop', root: '/home/ada/shop' };

/** What the capture thread would send of it. */
export function batchOf(captured: Captured, path: string): Batch {
  return {
    position: { agent: 'claude-code', path, fingerprint: '0:', position: 1, size: 1 },
    counts: { records: 1, badLines: 0, unknown: {}, lastEventAt: null },
    windows: captured.windows.map(({ cwd: _cwd, ...window }) => ({ ...window, project: PROJECT })),
    effects: captured.effects.map(({ cwd: _cwd, ...effect }) => ({ ...effect, project: PROJECT })),
    continuations: captured.continuations,
    voided: captured.voided,
    redactions: {},
    caughtUp: true,
    sweptMtime: null,
  };
}

/** Takes it into the store as the daemon does. */
export function takenIn(
  store: Store,
  captured: Captured,
  { path = '/transcripts/one.jsonl', sessionsNeeded = 2 } = {},
) {
  return takeIn(store, batchOf(captured, path), { settleMs: 0, sessionsNeeded });
}
