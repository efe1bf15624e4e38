import { describe, expect, test } from 'vitest';
import { withKnobs } from '../drain/testing.ts';
import { silentLog } from '../platform/log.ts';
import type { KnobValue } from '../ports/knob.ts';
import { changeLearning } from '../store/learnings/write.ts';
import { EDITED, given, tempStore, type TempStore } from '../testing/temp-home.ts';
import { graphMaintenance, maintain, previewMaintenance } from './graph-maintenance.ts';
import { atOnce } from '../platform/turns.ts';
import { Upkeep } from './upkeep.ts';

const entity = (name: string) => ({ name, type: 'tool' as const });
const UNTOUCHED = { dangling: 0, relinked: 0, orphans: 0 };

/** Every row of the graph. */
function rows({ db }: TempStore): string {
  return JSON.stringify(
    ['entity', 'learning_entity', 'relation'].map((table) =>
      db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all(),
    ),
  );
}

/** Vite and Vitest are tied; a note no longer mentions Ava; Jest is mentioned beside Vitest and tied to nothing. */
function dirty(): TempStore {
  const store = tempStore();
  given(store, {
    title: 'Vitest runs on Vite',
    entities: [entity('Vite'), entity('Vitest')],
    relations: [{ source: 'Vitest', target: 'Vite', type: 'uses' }],
  });
  const { id } = given(store, { title: 'Ava', entities: [entity('Ava')] }).learning;
  changeLearning(store, id, { entities: [] }, EDITED);
  given(store, { title: 'Vitest, not Jest', entities: [entity('Jest'), entity('Vitest')] });
  store.db.pragma('foreign_keys = OFF'); // as a database that was put together by hand may be
  store.db.exec(`
    INSERT INTO relation (seq, source, target, type, description, strength, committed_at, valid_from) VALUES (1, 1, 4711, 'uses', '', 5, 1, 1), (4711, 1, 2, 'uses', '', 5, 1, 1);
    INSERT INTO learning_entity (entity, seq) VALUES (4711, 1);
  `);
  store.db.pragma('foreign_keys = ON');
  return store;
}

const names = ({ db }: TempStore) => db.prepare('SELECT name FROM entity ORDER BY name').pluck().all();
const edges = ({ db }: TempStore) =>
  db
    .prepare(
      `
  SELECT origin.name || ' ' || relation.type || ' ' || goal.name FROM relation JOIN entity AS origin ON origin.id = source JOIN entity AS goal ON goal.id = target ORDER BY 1
`,
    )
    .pluck()
    .all();

describe('C3 graph maintenance sweep', () => {
  test('C3: orphans and dangling edges are removed, and isolated entities are linked to another of their note', () => {
    const store = dirty();
    expect(atOnce(maintain(store.db))).toEqual({ dangling: 3, relinked: 1, orphans: 1 });
    expect(names(store)).toEqual(['Jest', 'Vite', 'Vitest']);
    expect(edges(store)).toEqual(['Jest relates_to Vitest', 'Vitest uses Vite']);
    expect(store.db.pragma('foreign_key_check')).toEqual([]);
  });

  test('C3: a second run finds nothing, and a graph in order does not change by a byte', () => {
    const store = dirty();
    atOnce(maintain(store.db));
    const clean = rows(store);
    expect(atOnce(maintain(store.db))).toEqual(UNTOUCHED);
    expect(rows(store)).toBe(clean);
  });

  test('C3: a preview counts the same and changes nothing', () => {
    const store = dirty();
    const before = rows(store);
    expect(previewMaintenance(store.db)).toEqual({ dangling: 3, relinked: 1, orphans: 1 });
    expect(rows(store)).toBe(before);
  });

  test('C3: an entity whose note mentions no other stays isolated; an empty graph is in order', () => {
    const store = tempStore();
    expect(atOnce(maintain(store.db))).toEqual(UNTOUCHED);
    given(store, { title: 'Ava', entities: [entity('Ava')] });
    expect([atOnce(maintain(store.db)), names(store)]).toEqual([UNTOUCHED, ['Ava']]);
  });

  /** How many drains it takes until the graph was looked through. */
  async function drainsUntilMaintained(knobs: Record<string, KnobValue>): Promise<number | null> {
    const store = dirty();
    const upkeep = new Upkeep({
      store,
      inference: { available: () => null, rerank: async () => [] },
      resolve: withKnobs(knobs),
      log: silentLog,
    });
    for (let drains = 1; drains <= 12; drains++) {
      upkeep.drained();
      if ((await upkeep.sweep()).graph) return drains;
    }
    return null;
  }

  test('C3: it runs after every tenth drain; the knob changes that, and the switch stops it (counterfactual)', async () => {
    expect(await drainsUntilMaintained({})).toBe(10);
    expect(await drainsUntilMaintained({ [graphMaintenance.knobs.every.name]: 3 })).toBe(3);
    expect(await drainsUntilMaintained({ [graphMaintenance.switch.name]: false })).toBeNull();
  });
});
