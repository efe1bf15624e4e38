import { join } from 'node:path';
import type { Learning, NoteInput } from '#contract/entities.ts';
import { silentLog } from '../platform/log.ts';
import type { KnobValue } from '../ports/knob.ts';
import { withKnobs } from '../drain/testing.ts';
import { lifecycleEventOf } from '../events/subscriptions.ts';
import { given, tempFolder, tempStore } from '../testing/temp-home.ts';
import { Distiller, type DistillParts } from './distill.ts';

export const SHOP = 'github.com/acme/shop';
const NO_MODEL = { available: () => null };

/** A store with a distiller, connected as in the daemon, and the events it emitted. */
export function world(knobs: Record<string, KnobValue> = {}, parts: Partial<DistillParts> = {}) {
  const store = tempStore();
  const home = tempFolder();
  const events: Array<{ event: string; payload: Record<string, unknown> }> = [];
  const conventions = join(store.paths.home, 'conventions');
  const distiller = new Distiller({
    store,
    home,
    conventions,
    inference: NO_MODEL,
    log: silentLog,
    resolve: withKnobs(knobs),
    ...parts,
  });
  const rethrow = (error: unknown) => {
    throw error;
  };
  store.db.changes.subscribe((changes) => {
    for (const change of changes.filter(({ type }) => type !== 'learning.changed')) {
      const [event, payload] = lifecycleEventOf(change) ?? [];
      if (event && payload) events.push({ event, payload });
    }
  }, rethrow);
  /** Passes changes to the distiller, as the daemon does. */
  const listen = () =>
    store.db.changes.subscribe((changes) => {
      for (const change of changes)
        if (change.type === 'learning.changed') distiller.learningChanged(change.learning, change.kind);
    }, rethrow);
  const learn = (note: NoteInput): Learning => given(store, { project: SHOP, ...note }).learning;
  return {
    store,
    db: store.db,
    home,
    conventions,
    distiller,
    listen,
    events,
    learn,
    resolve: withKnobs(knobs),
  };
}
