import { expect, test } from 'vitest';
import type { GraphView } from '#contract/graph.ts';
import type { Call } from '#contract/methods.ts';
import { GraphState } from './graph.svelte.ts';
import { Queries } from '../query/queries.svelte.ts';

const node = (id: number, name: string, since = 0) => ({
  id,
  name,
  type: 'concept' as const,
  description: '',
  degree: 1,
  notes: 1,
  since,
});
const edge = (source: number, target: number, validFrom: number, validTo: number | null = null) => ({
  source,
  target,
  type: 'uses' as const,
  strength: 5,
  validFrom,
  validTo,
});

function world(view: Partial<GraphView> = {}) {
  const asked: [string, unknown][] = [];
  const call = async (method: string, input: unknown) => {
    asked.push([method, input]);
    if (method === 'graph.entity')
      return { entity: { ...node(0, (input as { name: string }).name) }, relations: [], notes: [] };
    return {
      nodes: [node(7, 'gRPC'), node(8, 'checkout', 50), node(9, 'ledger')],
      edges: [edge(7, 8, 50), edge(7, 9, 10, 40)],
      total: 3,
      onlyNewest: false,
      ...view,
    };
  };
  return { screen: new GraphState(new Queries(call as unknown as Call), () => 100), asked };
}

test('a moment shows the edges that were true then, and the names known by then', async () => {
  const { screen } = world();
  await screen.load();
  expect(screen.edgesNow.map(({ from, to }) => [from, to])).toEqual([[0, 1]]);
  screen.at = 30;
  expect(screen.edgesNow.map(({ from, to }) => [from, to])).toEqual([[0, 2]]);
  expect([...screen.visible]).toEqual([1, 0, 1]);
  expect(screen.span).toEqual({ from: 0, to: 100 });
});

test('words find names, in the table too', async () => {
  const { screen } = world();
  await screen.load();
  expect(screen.matched).toBeNull();
  screen.text = 'LED';
  expect([...(screen.matched ?? [])]).toEqual([0, 0, 1]);
  expect(screen.rows.map(({ name }) => name)).toEqual(['ledger']);
});

test('a filter asks the daemon again, and only for what was chosen', async () => {
  const { screen, asked } = world();
  await screen.filter({ project: 'shop' });
  expect(asked).toEqual([['graph.read', { limit: 1_000, project: 'shop' }]]);
});

test('opening a name reads it, and moving on while it is open reads the next', async () => {
  const { screen, asked } = world();
  await screen.load();
  screen.focus(0);
  expect(asked.map(([method]) => method)).not.toContain('graph.entity');
  screen.open(0);
  screen.focus(2);
  expect(asked.slice(1)).toEqual([
    ['graph.entity', { name: 'gRPC' }],
    ['graph.entity', { name: 'ledger' }],
  ]);
});

test('a name beyond what is drawn can be open', async () => {
  const { screen } = world();
  screen.openName('elsewhere');
  await screen.load();
  expect(screen.focused).toBe(-1);
  expect(screen.detail.value?.entity.name).toBe('elsewhere');
});

test('a refresh that brings no other names or ties leaves the layout alone', async () => {
  const view = { nodes: [node(7, 'gRPC'), node(8, 'ledger')], edges: [edge(7, 8, 0)] };
  const { screen } = world(view);
  await screen.load();
  const before = screen.shape;
  view.nodes = [{ ...node(7, 'gRPC'), notes: 2 }, node(8, 'ledger')];
  view.edges = [edge(7, 8, 20), edge(8, 7, 0)];
  await screen.load();
  expect([screen.nodes[0]?.notes, screen.shape]).toEqual([2, before]);
  view.nodes = [...view.nodes, node(9, 'checkout')];
  await screen.load();
  expect(screen.shape).not.toBe(before);
});
