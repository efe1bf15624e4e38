import { expect, test } from 'vitest';
import { GraphFilter } from '#contract/graph.ts';
import type { NoteInput } from '#contract/entities.ts';
import { given, START, tempStore } from '../../testing/temp-home.ts';
import { readEntity, readGraph } from './view.ts';
import { DAY } from '../../platform/time.ts';

const entity = (name: string, type: 'technology' | 'tool' | 'error' = 'technology') => ({ name, type });
const edge = (
  source: string,
  type: 'uses' | 'causes',
  target: string,
  valid: { validFrom?: number; validTo?: number } = {},
) => ({ source, type, target, ...valid });

function world(...notes: NoteInput[]) {
  const store = tempStore();
  for (const note of notes) given(store, note);
  const read = (filter: Parameters<typeof GraphFilter.parse>[0] = {}) =>
    readGraph(store.db, GraphFilter.parse(filter));
  const names = (filter?: object) => read(filter).nodes.map(({ name }) => name);
  return { store, read, names };
}

const CHECKOUT: NoteInput = {
  title: 'Checkout calls gRPC',
  project: 'shop',
  entities: [entity('checkout', 'tool'), entity('gRPC'), entity('timeout', 'error')],
  relations: [edge('checkout', 'uses', 'gRPC'), edge('gRPC', 'causes', 'timeout')],
};
const LEDGER: NoteInput = {
  title: 'The ledger stands alone',
  project: 'bank',
  entities: [entity('ledger', 'tool')],
};

test('entities come with their edges and notes, the best connected first, and those without an edge last', () => {
  const { read } = world(CHECKOUT, LEDGER);
  const { nodes, edges, total, onlyNewest } = read();
  expect(nodes.map(({ name, degree, notes }) => [name, degree, notes])).toEqual([
    ['gRPC', 2, 1],
    ['checkout', 1, 1],
    ['timeout', 1, 1],
    ['ledger', 0, 1],
  ]);
  expect(edges.map(({ type }) => type).toSorted()).toEqual(['causes', 'uses']);
  expect({ total, onlyNewest }).toEqual({ total: 4, onlyNewest: false });
});

test('entities beyond the limit are left out, and so are their edges', () => {
  const { read } = world(CHECKOUT, LEDGER);
  const { nodes, edges, total } = read({ limit: 2 });
  expect(nodes).toHaveLength(2);
  expect(edges).toHaveLength(1);
  expect(total).toBe(4);
});

test('a project, an entity type and a relation type each filter it', () => {
  const { names, read } = world(CHECKOUT, LEDGER);
  expect(names({ project: 'bank' })).toEqual(['ledger']);
  expect(names({ entityType: 'tool' }).toSorted()).toEqual(['checkout', 'ledger']);
  expect(read({ entityType: 'tool' }).edges).toEqual([]);
  expect(names({ relation: 'causes' }).toSorted()).toEqual(['gRPC', 'timeout']);
});

test('an edge is shown only while it holds', () => {
  const { read } = world({
    ...CHECKOUT,
    relations: [edge('checkout', 'uses', 'gRPC', { validFrom: START - 10 * DAY, validTo: START - 5 * DAY })],
  });
  expect(read({ at: START - 20 * DAY }).edges).toHaveLength(0);
  expect(read({ at: START - 7 * DAY }).edges).toHaveLength(1);
  expect(read({ at: START }).edges).toHaveLength(0);
  expect(read().edges).toHaveLength(1);
});

test('an archived note draws no edge, a superseded one only those that held until then', () => {
  expect(world({ ...CHECKOUT, status: 'archived' }).names()).toEqual([]);
  const { names } = world({ ...CHECKOUT, status: 'superseded', isLatest: false });
  expect(names()).toHaveLength(3);
});

test('an edge of two notes is drawn once', () => {
  const relations = [edge('checkout', 'uses', 'gRPC', { validFrom: START })];
  expect(
    world({ ...CHECKOUT, relations }, { ...CHECKOUT, title: 'Again', relations }).read().edges,
  ).toHaveLength(1);
});

test('an entity is read from both ends of its edges, however its name is written', () => {
  const { store } = world(CHECKOUT, { title: 'Retry gRPC', project: 'shop', entities: [entity('gRPC')] });
  const { entity: found, relations, notes } = readEntity(store.db, 'grpc');
  expect(found).toMatchObject({ name: 'gRPC', type: 'technology' });
  expect(relations.map(({ outgoing, type, other }) => [outgoing, type, other]).toSorted()).toEqual([
    [false, 'uses', 'checkout'],
    [true, 'causes', 'timeout'],
  ]);
  expect(notes.map(({ title }) => title).toSorted()).toEqual(['Checkout calls gRPC', 'Retry gRPC']);
});

test('an unknown entity is refused', () => {
  const { store } = world();
  expect(() => readEntity(store.db, 'nothing')).toThrow(expect.objectContaining({ code: 'not-found' }));
});
