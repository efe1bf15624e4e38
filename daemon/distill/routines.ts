import type { ObservationAction, ObservationsRevised } from '#contract/distill.ts';
import type { UserResolve } from '../ports/knob.ts';
import { effectsAfter, sessionsWith } from '../store/capture/effects.ts';
import { EFFECT } from '../store/columns.ts';
import { getMeta, setMeta } from '../store/meta.ts';
import type { Store } from '../store/learnings/write.ts';
import { ACTOR } from './consolidation.ts';
import { addRevised, noneRevised, reviseObservations } from './observation-actions.ts';
import { observations } from './observations.ts';

const READ_THROUGH = 'routines-read-through';
const AT_ONCE = 500;
const CATEGORY = 'commands';
const MOST_SESSIONS = 1_000; // as evidence

/** Reads the commands of new sessions: run in enough of them, one becomes an observation with a fact (O3). */
export function* gatherRoutines(store: Store, resolve: UserResolve): Generator<void, ObservationsRevised> {
  const { db } = store;
  const total = noneRevised();
  if (!resolve(observations.switch)) return total;
  let through = Number(getMeta(db, READ_THROUGH) ?? 0);
  for (;;) {
    const effects = effectsAfter(db, 'routine', through, AT_ONCE);
    for (const detail of new Set(effects.map((effect) => effect.detail))) {
      addRevised(total, reviseObservations(store, actionsFor(store, detail, resolve), ACTOR, resolve));
      yield;
    }
    const last = effects.at(-1);
    if (!last) return total;
    through = last.id;
    setMeta(db, READ_THROUGH, String(through));
  }
}

function actionsFor({ db }: Store, detail: string, resolve: UserResolve): ObservationAction[] {
  const { field, does, command, project } = EFFECT.routine.read(detail);
  const sessions = sessionsWith(db, 'routine', detail).slice(-MOST_SESSIONS);
  if (project === '' || sessions.length < resolve(observations.knobs.sessions)) return [];
  return [
    {
      action: 'CREATE',
      content: `${does} with \`${command}\``,
      project,
      category: CATEGORY,
      field,
      value: command,
      ids: sessions,
      learnings: [],
      reason: `run in ${sessions.length} sessions`,
    },
  ];
}
