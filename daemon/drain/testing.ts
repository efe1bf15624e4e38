import { onTestFinished } from 'vitest';
import type { CleanMoment } from '../capture/protocol.ts';
import { silentLog } from '../platform/log.ts';
import type { KnobValue, Resolve } from '../ports/knob.ts';
import { listMoments } from '../store/capture/moments.ts';
import { type TempStore, tempStore } from '../testing/temp-home.ts';
import { Drain, type DrainParts } from './drain.ts';
import { ingestBatch } from './ingest.ts';
import type { Writer } from './writer.ts';
import { heuristic } from './writers/heuristic.ts';

interface Said extends Partial<CleanMoment> {
  transcript?: string;
  reply?: string;
}

interface Options {
  store?: TempStore;
  writer?: Writer;
  knobs?: Record<string, KnobValue>;
  preview?: DrainParts['preview'];
  since?: number;
}

/** Knobs at their defaults but for these. */
export const withKnobs =
  (knobs: Record<string, KnobValue> = {}): Resolve =>
  (knob) =>
    (knobs[knob.name] ?? knob.default) as typeof knob.default;

/** A test that is not about the judge should not depend on its weights. */
const EVERY_NOTE_IS_A_LEARNING = { REFLECT_LEARNING_BAR: 0 };

/** The real intake and drain on a store of its own; `say` is a person correcting an agent. */
export function drainWorld({
  store = tempStore(),
  writer = heuristic,
  knobs = {},
  preview,
  since = 0,
}: Options = {}) {
  const drain = new Drain({
    store,
    writer,
    plain: heuristic,
    log: silentLog,
    modes: store.paths.modes,
    since,
    resolver: () => withKnobs({ ...EVERY_NOTE_IS_A_LEARNING, ...knobs }),
    ...(preview ? { preview } : {}),
  });
  onTestFinished(() => drain.stop());
  let said = 0;
  const say = (quote: string, { transcript = 't.jsonl', reply, ...moment }: Said = {}) => {
    const at = moment.at ?? store.now();
    const span = moment.span ?? { start: 100 * said, end: 100 * said + 50 };
    const turns = [
      { role: 'human' as const, text: quote, at, trigger: true },
      ...(reply ? [{ role: 'agent' as const, text: reply, at, trigger: false }] : []),
    ];
    ingestBatch(
      store,
      {
        position: {
          agent: 'claude-code',
          path: transcript,
          fingerprint: 'f',
          position: span.end,
          size: span.end,
        },
        counts: { records: 1, badLines: 0, unknown: {}, lastEventAt: at },
        moments: [
          {
            key: `signal.correction:${++said}`,
            signal: 'signal.correction',
            session: transcript,
            at,
            branch: null,
            span,
            quote,
            type: 'correction',
            score: 3,
            cues: ['prohibition'],
            why: ['forbids something'],
            recurring: null,
            speculative: false,
            turns,
            project: { id: 'acme/shop', name: 'shop', root: '' },
            ...moment,
          },
        ],
        continuations: [],
        effects: [],
        complete: [],
        voided: [],
        sessions: [],
        redactions: {},
        caughtUp: true,
        sweptMtime: null,
      },
      { settleMs: 0, sessionsNeeded: 1 },
    );
  };
  return { store, drain, say, moments: () => listMoments(store.db, undefined, 100).toReversed() };
}
