import { onTestFinished } from 'vitest';
import type { CleanWindow } from '../capture/protocol.ts';
import { silentLog } from '../platform/log.ts';
import type { KnobValue, Resolve } from '../ports/knob.ts';
import { listWindows } from '../store/windows.ts';
import { type TempStore, tempStore } from '../testing/temp-home.ts';
import { Drain, type DrainParts } from './drain.ts';
import { takeIn } from './intake.ts';
import type { Writer } from './writer.ts';
import { heuristic } from './writers/heuristic.ts';

interface Said extends Partial<CleanWindow> {
  transcript?: string;
  reply?: string;
}

interface Options {
  store?: TempStore;
  writer?: Writer;
  knobs?: Record<string, KnobValue>;
  foresee?: DrainParts['foresee'];
}

/** Knobs at their defaults but for these. */
export const withKnobs =
  (knobs: Record<string, KnobValue> = {}): Resolve =>
  (knob) =>
    (knobs[knob.name] ?? knob.default) as typeof knob.default;

/** The real intake and drain on a store of its own; `say` is a person correcting an agent. */
export function drainWorld({ store = tempStore(), writer = heuristic, knobs = {}, foresee }: Options = {}) {
  const drain = new Drain({
    store,
    writer,
    log: silentLog,
    modes: store.paths.modes,
    resolver: () => withKnobs(knobs),
    ...(foresee ? { foresee } : {}),
  });
  onTestFinished(() => drain.stop());
  let said = 0;
  const say = (quote: string, { transcript = 't.jsonl', reply, ...window }: Said = {}) => {
    const at = window.at ?? store.now();
    const span = window.span ?? { start: 100 * said, end: 100 * said + 50 };
    const turns = [
      { role: 'human' as const, text: quote, at, trigger: true },
      ...(reply ? [{ role: 'agent' as const, text: reply, at, trigger: false }] : []),
    ];
    takeIn(
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
        windows: [
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
            why: ['forbids something'],
            recurring: null,
            speculative: false,
            turns,
            project: { id: 'acme/shop', name: 'shop', root: '' },
            ...window,
          },
        ],
        continuations: [],
        effects: [],
        voided: [],
        redactions: {},
        caughtUp: true,
        sweptMtime: null,
      },
      { settleMs: 0, sessionsNeeded: 1 },
    );
  };
  return { store, drain, say, windows: () => listWindows(store.db, undefined, 100).toReversed() };
}
