import { describe, expect, test } from 'vitest';
import { proseOf } from '../../drain/prose.ts';
import { nameEntities } from '../../drain/writers/mentions.ts';
import { relationsIn } from '../../drain/writers/relations.ts';
import { NO_WEIGHTS } from '../../inference/testing.ts';
import { needs } from '../../testing/needs.ts';
import { proof } from '../../testing/proof.ts';
import { DAY } from '../../platform/time.ts';
import { type Given, NOW, world } from '../../testing/world.ts';
import { answer } from '../recall.ts';
import { graph } from './graph.ts';

const entity = (name: string) => ({ name, type: 'concept' as const });
const date = (text: string) => Date.parse(text);

const expensive = {
  title: 'recalcTax is idempotent but expensive',
  scope: 'global' as const,
  entities: [entity('recalcTax')],
};
const rounding = {
  title: 'The second run repairs a rounding bug of EU VAT',
  scope: 'global' as const,
  entities: [entity('EU VAT rounding')],
  relations: [{ source: 'recalcTax', target: 'EU VAT rounding', type: 'caused_by' as const, strength: 8 }],
};
const unrelated = {
  title: 'Pin the base image by digest',
  scope: 'global' as const,
  entities: [entity('Docker')],
};
// By words alone the gate would close: one word of four is shared.
const words = { RECALL_VECTOR_ARM: false, REFLECT_RECALL_MIN_OVERLAP: 0 };

// R1: the reason is one edge away from the words that were typed.
proof(graph, 'the reason is found along an edge, though it shares no word with the question', {
  given: [expensive, rounding, unrelated],
  ask: { query: 'why does checkout call recalcTax twice', knobs: words },
  off: [expensive.title],
  on: [expensive.title, rounding.title],
});

describe('as notes are written, searched by meaning too', () => {
  needs(NO_WEIGHTS);

  /** A note with the entities and edges that the writers draw from its words. */
  const written = (title: string, body = ''): Given => {
    const entities = nameEntities(proseOf({ title, body }));
    return {
      title,
      body,
      scope: 'global',
      entities,
      relations: relationsIn(proseOf({ title, body }), entities),
    };
  };
  const twice = written('`recalcTax` runs twice at checkout because `roundVat` repairs the first result');
  const reason = written('`roundVat` loses a cent on prices with three decimals');
  const others = [
    'Checkout shows prices without tax to companies',
    'The checkout button is disabled while a call is pending',
    'Never call the tax service from the cart page',
  ].map((title) => written(title));

  test('the edge has both its ends among the entities of the note that matches', () => {
    expect(twice.entities?.map(({ name }) => name)).toEqual(['recalcTax', 'roundVat']);
    expect(twice.relations).toContainEqual(
      expect.objectContaining({ source: 'recalcTax', type: 'caused_by', target: 'roundVat' }),
    );
  });

  proof(graph, 'the cause that the matching note names leads to the note about that cause', {
    given: [...others, reason, twice],
    ask: { query: 'why does checkout call recalcTax twice', limit: 2 },
    off: [twice.title, others[1]?.title ?? ''],
    on: [twice.title, reason.title],
  });
});

describe('R1: what an edge says answers though it shares no word with the question', () => {
  needs(NO_WEIGHTS);
  const ask = { query: 'why does checkout call recalcTax twice' };
  const cause = {
    ...rounding,
    title: 'Totals of invoices in the union were off by a cent until the second pass',
  };
  const found = async (type: 'caused_by' | 'relates_to', knobs = {}) => {
    const relations = cause.relations.map((relation) => ({ ...relation, type }));
    const { parts } = await world([expensive, { ...cause, relations }, unrelated]);
    const { hits } = await answer(parts, { ...ask, knobs });
    return hits.filter(({ weak }) => !weak).map(({ learning, linked }) => [learning.title, linked]);
  };

  test('a cause is no weak hit, and the hit says how it was found', async () => {
    expect(await found('caused_by')).toEqual([
      [expensive.title, undefined],
      [cause.title, 'recalcTax —caused_by→ EU VAT rounding'],
    ]);
  });

  test('where each must pass, it passes with the one it hangs on, and never alone', async () => {
    expect(await found('caused_by', { REFLECT_RECALL_MIN_EACH: 0.4 })).toHaveLength(2);
    expect(await found('caused_by', { REFLECT_RECALL_MIN_EACH: 0.95 })).toEqual([]);
  });

  test('a mere association stays weak', async () => {
    expect(await found('relates_to')).toEqual([[expensive.title, undefined]]);
  });
});

test('R1: the trace names the edge that led to a learning', async () => {
  const { parts, learnings } = await world([expensive, rounding]);
  const question = { query: 'why does checkout call recalcTax twice', knobs: words };
  const { trace = [] } = await answer(parts, question, { explain: true });
  const step = trace.find(({ port }) => port === graph.id);
  expect(step?.says).toMatch(/^2 around recalcTax/);
  expect(step?.candidates.find(({ id }) => id === learnings[1]?.id)?.note).toBe(
    'recalcTax —caused_by→ EU VAT rounding',
  );
});

test('R1: an edge drawn by a retired note, or by one of another project, leads nowhere', async () => {
  for (const elsewhere of [
    { status: 'archived' as const },
    { scope: 'project' as const, project: 'github.com/acme/other' },
  ]) {
    const { titles } = await world([expensive, { ...rounding, ...elsewhere }]);
    expect(
      await titles({ query: 'why call recalcTax twice', project: 'github.com/acme/shop', knobs: words }),
    ).toEqual([expensive.title]);
  }
});

const gateway = {
  title: 'The gateway checks who calls',
  scope: 'global' as const,
  entities: [entity('gateway')],
};
const jwt = {
  title: 'JSON web tokens are verified at the edge',
  scope: 'global' as const,
  entities: [entity('JWT')],
  relations: [
    {
      source: 'gateway',
      target: 'JWT',
      type: 'uses' as const,
      validFrom: date('2025-01-01'),
      validTo: date('2025-12-31'),
    },
  ],
};
const sessions = {
  title: 'Sessions live on the server',
  scope: 'global' as const,
  entities: [entity('server sessions')],
  relations: [
    { source: 'gateway', target: 'server sessions', type: 'uses' as const, validFrom: date('2026-01-01') },
  ],
};

test('A2: a question about a time follows only edges that were true then; one without a time follows all', async () => {
  const { titles } = await world([gateway, jwt, sessions].map((note) => ({ ...note, daysAgo: 1 })));
  const about = (query: string, knobs = {}) =>
    titles({ query, knobs: { ...words, RECALL_TEMPORAL_ARM: false, ...knobs } });
  expect((await about('what did the gateway use in march 2025')).toSorted()).toEqual(
    [gateway.title, jwt.title].toSorted(),
  );
  expect((await about('what did the gateway use in march 2026')).toSorted()).toEqual(
    [gateway.title, sessions.title].toSorted(),
  );
  expect((await about('what does the gateway use')).toSorted()).toEqual(
    [gateway.title, jwt.title, sessions.title].toSorted(),
  );
  expect((await about('what did the gateway use between 2025-06-01 and 2026-03-01')).toSorted()).toEqual(
    [gateway.title, jwt.title, sessions.title].toSorted(),
  );
  expect(
    await about('what did the gateway use in march 2025', { RECALL_BITEMPORAL_EDGES: false }),
  ).toHaveLength(3);
});

test('A2: an edge that says nothing of its time holds from when it was learned', async () => {
  const undated = {
    ...jwt,
    relations: [{ source: 'gateway', target: 'JWT', type: 'uses' as const }],
    daysAgo: 10,
  };
  const { titles } = await world([{ ...gateway, daysAgo: 10 }, undated]);
  const about = (query: string) => titles({ query, knobs: { ...words, RECALL_TEMPORAL_ARM: false } });
  expect(await about(`gateway since ${new Date(NOW - 5 * DAY).toISOString().slice(0, 10)}`)).toHaveLength(2);
  expect(await about('gateway in march 2025')).toHaveLength(1);
});
