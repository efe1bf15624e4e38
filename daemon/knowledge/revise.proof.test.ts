import { describe, expect, test } from 'vitest';
import { Note } from '#contract/entities.ts';
import { RevisionAction } from '#contract/revision.ts';
import { drainWorld, withKnobs } from '../drain/testing.ts';
import type { KnobValue } from '../ports/knob.ts';
import { historyOf } from '../store/learnings/history.ts';
import { listLearnings } from '../store/learnings/list.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { searchByWords } from '../store/search/words.ts';
import { given, tempStore, type TempStore } from '../testing/temp-home.ts';
import { revise } from './revision-actions.ts';
import { beliefRevision, undo } from './revise.ts';

const OFF = { [beliefRevision.switch.name]: false };

/** As the daemon carries them out while no model is there. */
function revising(store: TempStore, actions: unknown[], knobs: Record<string, KnobValue> = {}) {
  const resolve = withKnobs(knobs);
  return revise(
    { store, resolve, preview: async () => ({ neighbours: [], resolve }) },
    actions.map((action) => RevisionAction.parse(action)),
    'agent',
  );
}

const titles = (store: TempStore) =>
  listLearnings(store.db, { offset: 0, limit: 50 }).items.map(({ title, proofCount, status }) => [
    title,
    proofCount,
    status,
  ]);
const PNPM = { title: 'Install with pnpm', rule: 'Never npm.' };

describe('S5 belief revision on ingest', () => {
  test('S5: a lesson repeated in slightly different words is evidence for the known learning', async () => {
    const world = drainWorld();
    world.say("no, don't mock the database in these tests");
    world.say("Don't mock the database in these tests!", {
      transcript: 'another.jsonl',
      reply: 'Understood, the real one.',
    });
    await world.drain.run();
    expect(titles(world.store)).toEqual([["Don't mock the database in these tests", 2, 'active']]);
    expect(world.moments().map(({ state }) => state)).toEqual(['kept', 'duplicate']);
  });

  test('S5: switched off, it becomes a second learning (counterfactual)', async () => {
    const world = drainWorld({ knobs: OFF });
    world.say("no, don't mock the database in these tests");
    world.say("Don't mock the database in these tests!", {
      transcript: 'another.jsonl',
      reply: 'Understood, the real one.',
    });
    await world.drain.run();
    expect(titles(world.store)).toHaveLength(2);
  });

  test('S5: an update changes the learning, adds a proof, and keeps the old version', async () => {
    const store = tempStore();
    const { id } = given(store, PNPM).learning;
    const result = await revising(store, [
      {
        action: 'UPDATE',
        targetId: id,
        content: 'pnpm 10 or newer.',
        reason: 'seen again',
        source: 'session-1',
      },
    ]);
    expect(result).toMatchObject({ executed: 1, updated: 1, created: 0, deleted: 0, skipped: 0, errors: [] });
    expect(getLearning(store.db, id)).toMatchObject({
      rule: 'pnpm 10 or newer.',
      signals: { proofCount: 2 },
    });
    expect(historyOf(store.db, id)[0]).toMatchObject({
      actor: 'agent',
      source: 'session-1',
      reason: 'seen again',
      proofCount: 1,
      before: { rule: 'Never npm.' },
    });
  });

  test('S5: the same source proves a learning once, another one again', async () => {
    const store = tempStore();
    const { id } = given(store, PNPM).learning;
    const evidence = (source: string) => ({ action: 'UPDATE', targetId: id, reason: 'seen again', source });
    expect(await revising(store, [evidence('a'), evidence('a'), evidence('b')])).toMatchObject({
      updated: 2,
      skipped: 1,
    });
    expect(getLearning(store.db, id).signals.proofCount).toBe(3);
  });

  test('S5: a source whose proof was undone may prove it again', async () => {
    const store = tempStore();
    const { id } = given(store, PNPM).learning;
    const evidence = { action: 'UPDATE', targetId: id, reason: 'seen again', source: 'a' };
    await revising(store, [evidence]);
    undo(store, historyOf(store.db, id)[0]?.id, 'person');
    expect(getLearning(store.db, id).signals.proofCount).toBe(1);
    expect(await revising(store, [evidence])).toMatchObject({ updated: 1 });
  });

  test('S5: a deletion removes a learning from recall with its reason, and nothing is lost', async () => {
    const store = tempStore();
    const { id } = given(store, PNPM).learning;
    const gone = { action: 'DELETE', targetId: id, reason: 'the team moved to bun' };
    expect(await revising(store, [gone, gone])).toMatchObject({ deleted: 1, skipped: 1, errors: [] });
    expect(getLearning(store.db, id).status).toBe('reverted');
    expect(searchByWords(store.db, 'pnpm', null, 5)).toEqual([]);
    expect(historyOf(store.db, id)[0]).toMatchObject({ kind: 'revert', reason: 'the team moved to bun' });
    undo(store, undefined, 'person');
    expect(searchByWords(store.db, 'pnpm', null, 5)).toHaveLength(1);
  });

  test('S5: a creation makes a new note with all its fields', async () => {
    const store = tempStore();
    const result = await revising(store, [
      {
        action: 'CREATE',
        content: 'Tag releases by hand\nThe pipeline has no rights to.',
        reason: 'said',
        category: 'release',
        confidence: 0.9,
        forgetAfter: 5,
      },
      { action: 'CREATE', note: { title: 'Use tabs', project: 'p', scope: 'project' }, reason: 'said' },
    ]);
    expect(result).toMatchObject({
      created: 2,
      executed: 2,
      createdIds: [expect.stringMatching(/^lrn-tag-releases/), expect.stringMatching(/^lrn-use-tabs/)],
    });
    expect(getLearning(store.db, result.createdIds[0] ?? '')).toMatchObject({
      title: 'Tag releases by hand',
      body: expect.stringContaining('no rights') as string,
      category: 'release',
      confidence: 0.9,
      forgetAfter: 5,
    });
  });

  test('S5: a refused action is reported with its position, and the others still apply', async () => {
    const store = tempStore();
    const { id } = given(store, PNPM).learning;
    const merged = given(store, {
      title: 'Install by pnpm',
      status: 'superseded',
      isLatest: false,
      supersededBy: id,
    }).learning;
    const result = await revising(store, [
      { action: 'UPDATE', targetId: 'lrn-nobody-000000', reason: 'x' },
      { action: 'DELETE', targetId: 'lrn-nobody-000000', reason: 'x' },
      { action: 'UPDATE', targetId: merged.id, reason: 'x' },
      { action: 'CREATE', content: 'Use tabs', reason: 'x' },
    ]);
    expect(result.errors).toEqual([
      { index: 0, message: expect.stringMatching(/^No learning “/) as string },
      { index: 1, message: expect.stringMatching(/^No learning “/) as string },
      { index: 2, message: expect.stringContaining(`was superseded by ${id}`) as string },
    ]);
    expect(result).toMatchObject({ created: 1, executed: 1 });
  });

  test.each([
    [{ action: 'MERGE', targetId: 'lrn-x', reason: 'x' }, /action/],
    [{ action: 'UPDATE', reason: 'x' }, /targetId/],
    [{ action: 'CREATE', reason: 'x' }, /either content or a note/],
    [{ action: 'CREATE', content: 'x', note: { title: 'x' }, reason: 'x' }, /either content or a note/],
    [{ action: 'CREATE', content: 'x' }, /reason/],
    [{ action: 'CREATE', content: 'x', reason: 'x', confidence: 2 }, /confidence/],
    [{ action: 'DELETE', targetId: 'lrn-x', reason: 'x', content: 'y' }, /content/],
  ])('S5: %j is no action', (action, reason) => {
    expect(RevisionAction.safeParse(action).error?.message).toMatch(reason);
  });

  test('S5: edges an update drops are closed, not deleted, and those it keeps begin when they did', async () => {
    const store = tempStore();
    const edge = (target: string) => ({ source: 'gateway', target, type: 'uses' as const });
    const { id } = given(store, {
      title: 'How the gateway checks',
      relations: [edge('JWT'), edge('nginx')],
    }).learning;
    store.tick(1_000);
    await revising(store, [
      {
        action: 'UPDATE',
        targetId: id,
        reason: 'rewritten',
        note: { relations: [Note.shape.relations.parse([edge('nginx')])[0]] },
      },
    ]);
    expect(getLearning(store.db, id).relations).toMatchObject([
      { target: 'JWT', validTo: store.now() },
      { target: 'nginx', validTo: null },
    ]);
  });
});
