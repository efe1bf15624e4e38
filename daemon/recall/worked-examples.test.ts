import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { fillWithDemo } from '../demo/fill.ts';
import { NO_WEIGHTS } from '../inference/testing.ts';
import type { Store } from '../store/learnings/write.ts';
import { needs } from '../testing/needs.ts';
import { type World, worldFilledBy } from '../testing/world.ts';

const BILLING = 'github.com/acme/billing-svc';
const EDGE = 'github.com/acme/edge-gateway';

const fill = (store: Store) => {
  fillWithDemo(store);
  return undefined;
};

/** The examples the seeds tell recall by, on the demo's knowledge base of some sixty notes, with the real models. */
describe('the worked examples', () => {
  needs(NO_WEIGHTS);
  let demo: World;
  beforeAll(async () => {
    if (NO_WEIGHTS !== null) return;
    const folder = mkdtempSync(join(tmpdir(), 'reflect-world-'));
    demo = await worldFilledBy(fill, { folder });
    return () => rmSync(folder, { recursive: true, force: true });
  });

  test('someone about to edit payments.proto gets the note to regenerate the clients', async () => {
    const { titles } = demo;
    expect((await titles({ query: 'edit payments.proto, add a field', project: BILLING }))[0]).toBe(
      'Commit regenerated gRPC clients together with every change to payments.proto',
    );
  });

  test('why checkout calls recalcTax twice is answered, with what it costs beside it', async () => {
    const { titles } = demo;
    expect(
      (await titles({ query: 'why does checkout call recalcTax twice', project: BILLING })).slice(0, 2),
    ).toEqual([
      'Leave both recalcTax calls in checkout: the second one is not a leftover',
      'Cache the tax rate table for the request, not the result of recalcTax',
    ]);
  });

  test('a flaky test in the auth suite brings the reason for it, not the format of auth tokens', async () => {
    const { titles } = demo;
    const found = await titles({ query: 'flaky test in the auth suite', project: EDGE });
    expect(found[0]).toMatch(/pytest-xdist/);
    expect(found.findIndex((title) => /egw_/.test(title))).toBeGreaterThan(0);
  });

  test('what replaced JWT is recalled, JWT itself never again', async () => {
    const { titles } = demo;
    const found = await titles({ query: 'do we use JWT or sessions for API authentication', project: EDGE });
    expect(found[0]).toBe('Authenticate API requests with server-side sessions in Redis; JWT is gone');
    expect(found.some((title) => /signed JWT|use JWT/i.test(title))).toBe(false);
  });

  test('a question about another world altogether gets nothing', async () => {
    const { titles } = demo;
    expect(
      await titles({
        query: 'how to prune tomato plants in august',
        global: true,
        knobs: { REFLECT_RECALL_MIN_OVERLAP: 0.3 },
      }),
    ).toEqual([]);
  });

  test('on feat/checkout-v2 nothing of feat/tax-engine is seen, and the other way round', async () => {
    const { recall } = demo;
    const branches = async (branch: string) =>
      new Set(
        (await recall({ query: 'checkout tax', project: BILLING, branch, limit: 50 })).hits.map(
          ({ learning }) => learning.branch,
        ),
      );
    expect(await branches('feat/checkout-v2')).toEqual(new Set(['feat/checkout-v2', null]));
    expect(await branches('feat/tax-engine')).toEqual(new Set(['feat/tax-engine', null]));
  });

  test('debouncing is found however it is asked for', async () => {
    const { titles } = demo;
    for (const query of ['how do I debounce search input', 'debouncing the search-as-you-type box']) {
      expect((await titles({ query, global: true }))[0]).toBe(
        'Debounce the search input by 250 ms and abort the request it replaces',
      );
    }
  });

  test('what one project learned stays out of another until all are asked', async () => {
    const { recall } = demo;
    const projects = async (global: boolean) =>
      new Set(
        (await recall({ query: 'nginx 502 under load', project: BILLING, global, limit: 50 })).hits.map(
          ({ learning }) => learning.project,
        ),
      );
    expect([...(await projects(false))].filter((project) => project !== BILLING && project !== '')).toEqual(
      [],
    );
    expect(await projects(true)).toContain(EDGE);
  });
});
