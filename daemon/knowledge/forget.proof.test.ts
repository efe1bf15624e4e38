import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DAY } from '../platform/time.ts';
import type { NoteInput } from '#contract/entities.ts';
import { withKnobs } from '../drain/testing.ts';
import { silentLog } from '../platform/log.ts';
import { historyOf } from '../store/learnings/history.ts';
import { documentOf } from '../store/learnings/documents.ts';
import { changeLearning } from '../store/learnings/write.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { searchByWords } from '../store/search/words.ts';
import { EDITED, given, START, tempStore } from '../testing/temp-home.ts';
import { expired, forgetting } from './forget.ts';
import { undo } from './revise.ts';
import { Upkeep } from './upkeep.ts';

const OVER = {
  title: 'The staging key is rotated on Monday',
  project: 'github.com/acme/shop',
  forgetAfter: START - DAY,
};

function world(note: NoteInput, knobs: Record<string, boolean> = {}) {
  const store = tempStore();
  const { id } = given(store, note).learning;
  const path = documentOf(store.db, id)?.path ?? '';
  const upkeep = new Upkeep({
    store,
    inference: { available: () => null, rerank: async () => [] },
    resolve: withKnobs(knobs),
    log: silentLog,
  });
  const seen = () => ({
    status: getLearning(store.db, id).status,
    there: existsSync(join(store.documents, path)),
    aside: existsSync(join(store.documents, '.forgotten', path)),
  });
  return { store, id, path, upkeep, seen };
}

const KEPT = { status: 'active', there: true, aside: false };
const FORGOTTEN = { status: 'forgotten', there: false, aside: true };

describe('A3 forget_after prune', () => {
  test('A3: an expired learning is forgotten: out of recall, its file moved, its reason recorded', async () => {
    const { store, id, upkeep, seen, path } = world(OVER);
    expect(await upkeep.sweep()).toMatchObject({ forgotten: 1 });
    expect(seen()).toEqual(FORGOTTEN);
    expect(searchByWords(store.db, 'staging', null, 5)).toEqual([]);
    expect(readFileSync(join(store.documents, '.forgotten', path), 'utf8')).toContain(
      'forget_after: 2026-06-14',
    );
    expect(historyOf(store.db, id)[0]).toMatchObject({
      actor: 'expiry',
      reason: 'expired on 2026-06-14',
    });
  });

  test('A3: switched off, it stays (counterfactual)', async () => {
    const { upkeep, seen } = world(OVER, { [forgetting.switch.name]: false });
    await upkeep.sweep();
    expect(seen()).toEqual(KEPT);
  });

  test.each([
    ['of the future', START + DAY],
    ['that is permanent', null],
  ])('A3: a learning %s survives, untouched', async (_which, forgetAfter) => {
    const { store, id, upkeep, seen } = world({ ...OVER, forgetAfter });
    await upkeep.sweep();
    expect([seen(), historyOf(store.db, id).length]).toEqual([KEPT, 1]);
  });

  test('A3: it expires as time passes', async () => {
    const { store, upkeep, seen } = world({ ...OVER, forgetAfter: START + DAY });
    await upkeep.sweep();
    store.tick(DAY);
    await upkeep.sweep();
    expect(seen()).toEqual(FORGOTTEN);
  });

  test('A3: listing expired learnings changes nothing', () => {
    const { store, id, seen } = world(OVER);
    expect(expired(store)).toEqual([{ id, title: OVER.title, forgetAfter: OVER.forgetAfter }]);
    expect([seen(), historyOf(store.db, id).length]).toEqual([KEPT, 1]);
  });

  test('A3: after an undo it is back, and stays until it gets another date', async () => {
    const { store, id, upkeep, seen } = world(OVER);
    await upkeep.sweep();
    undo(store, undefined, 'person');
    expect(await upkeep.sweep()).toMatchObject({ forgotten: 0 });
    expect(seen()).toEqual(KEPT);
    changeLearning(store, id, { forgetAfter: START - 1 }, EDITED);
    expect(await upkeep.sweep()).toMatchObject({ forgotten: 1 });
  });

  test('A3: a second sweep changes nothing', async () => {
    const { store, id, upkeep } = world(OVER);
    await upkeep.sweep();
    expect(await upkeep.sweep()).toMatchObject({ forgotten: 0 });
    expect(historyOf(store.db, id)).toHaveLength(2);
  });
});
