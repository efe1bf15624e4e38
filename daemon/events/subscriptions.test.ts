import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Note } from '#contract/entities.ts';
import type { DaemonEvent } from '#contract/status.ts';
import { RevisionAction } from '#contract/revision.ts';
import { exportArchive } from '../archive/export.ts';
import { importArchive } from '../archive/import.ts';
import { archivePath, partsOf, silent } from '../archive/testing.ts';
import { Distiller } from '../distill/distill.ts';
import { drainWorld, withKnobs } from '../drain/testing.ts';
import { NO_WEIGHTS } from '../inference/testing.ts';
import { maintain, previewMaintenance } from '../knowledge/graph-maintenance.ts';
import { answerMerge } from '../knowledge/merges.ts';
import { createRetractor } from '../knowledge/retract.ts';
import { undo } from '../knowledge/revise.ts';
import { revise } from '../knowledge/revision-actions.ts';
import { atOnce } from '../platform/turns.ts';
import { replaceSlot } from '../knowledge/slots.ts';
import { preview, twins } from '../knowledge/twins.ts';
import { Upkeep } from '../knowledge/upkeep.ts';
import { silentLog } from '../platform/log.ts';
import { SkillsIndex } from '../recall/skills/skills-index.ts';
import { EventHub } from '../serve/events.ts';
import { noteEffect } from '../store/capture/effects.ts';
import { findErased, eraseRows } from '../store/erase/rows.ts';
import { addGap, askMerge, closeGap, openQuestions } from '../store/learnings/questions.ts';
import { asOneUnit, changeLearning, type Store } from '../store/learnings/write.ts';
import { addReview } from '../store/outcomes/reviews.ts';
import { needs } from '../testing/needs.ts';
import { EDITED, given, START, tempFolder, tempStore } from '../testing/temp-home.ts';
import { world } from '../testing/world.ts';
import { Lifecycle } from './lifecycle-events.ts';
import { subscribeToChanges } from './subscriptions.ts';

/** A store with all subscribers, as the daemon connects them, and what each received. */
function listening<S extends Store>(store: S) {
  const file = join(tempFolder(), 'events.jsonl');
  const lifecycle = new Lifecycle({
    file,
    resolve: withKnobs(),
    environment: {},
    log: silentLog,
    now: () => START,
  });
  const events = new EventHub(() => {});
  const ui: DaemonEvent[] = [];
  events.subscribe((event) => ui.push(event));
  const woken = { embedding: 0, outcomes: 0 };
  const distiller = new Distiller({
    store,
    home: tempFolder(),
    conventions: tempFolder(),
    inference: { available: () => null },
    log: silentLog,
    resolve: withKnobs(),
  });
  subscribeToChanges({
    db: store.db,
    log: silentLog,
    events,
    lifecycle,
    embed: () => {
      woken.embedding++;
    },
    distiller,
    outcomes: {
      wake: () => {
        woken.outcomes++;
      },
    },
  });
  const lifecycleEvents = () =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as { event: string; payload: Record<string, unknown> })
      : [];
  /** The `question.asked` events. */
  const asked = () =>
    lifecycleEvents()
      .filter(({ event }) => event === 'question.asked')
      .map(({ payload }) => payload);
  return { store, ui, woken, asked, lifecycleEvents };
}

/** Each open question was announced once, by id, and the Inbox was updated. */
function expectAsked({ store, ui, asked }: ReturnType<typeof listening>, kind: 'twin' | 'contradiction') {
  const open = openQuestions(store.db);
  expect(open).toHaveLength(1);
  expect(asked()).toEqual(
    open.map(({ existing, incoming }) => ({ kind, existingId: existing.id, incomingId: incoming.id })),
  );
  expect(ui).toContainEqual({ type: 'inbox.changed' });
}

const KNOWN = { title: 'Tests must never mock the database, use the real one', scope: 'global' as const };
const TWIN = { title: 'In tests, never mock the database; use the real one', scope: 'global' as const };

describe('C4: question.asked fires whoever asks, by meaning', () => {
  needs(NO_WEIGHTS);

  test('the upkeep sweep', async () => {
    const { store, inference } = await world([KNOWN, TWIN]);
    const heard = listening(store);
    await new Upkeep({ store, inference, resolve: withKnobs(), log: silentLog }).sweep();
    expectAsked(heard, 'twin');
  });

  test("an agent's learn", async () => {
    const { store, inference } = await world([KNOWN]);
    const heard = listening(store);
    const resolve = withKnobs();
    await revise(
      { store, resolve, preview: (one: Note) => preview(store, inference, one, resolve, () => {}) },
      [RevisionAction.parse({ action: 'CREATE', note: TWIN, reason: 'noticed' })],
      'agent',
    );
    expectAsked(heard, 'twin');
  });

  test('a contradiction that only the meaning suggests', async () => {
    const { store, inference } = await world([
      { title: 'Enable caching of query results for the report pages', scope: 'global' },
    ]);
    const heard = listening(store);
    const resolve = withKnobs();
    await revise(
      { store, resolve, preview: (one: Note) => preview(store, inference, one, resolve, () => {}) },
      [
        RevisionAction.parse({
          action: 'CREATE',
          note: { title: 'Disable caching of query results for the report pages', scope: 'global' },
          reason: 'noticed',
        }),
      ],
      'agent',
    );
    expectAsked(heard, 'contradiction');
  });

  test('the drain', async () => {
    const { store, inference } = await world([
      { title: "Don't mock the database in these tests", project: 'acme/shop' },
    ]);
    const heard = listening({ ...tempStore(), ...store });
    const { say, drain } = drainWorld({
      store: heard.store,
      knobs: { [twins.knobs.threshold.name]: 0.6 },
      preview: (note, resolve) => preview(store, inference, note, resolve, () => {}),
    });
    say('no, in these tests of ours the database is never mocked');
    await drain.run();
    expectAsked(heard, 'twin');
  });
});

describe('C4: skill.refreshed fires for every skill, whoever changes it', () => {
  test('a skill that a person edits; not one that is new', () => {
    const heard = listening(tempStore());
    const home = tempFolder();
    const path = join(home, '.claude', 'skills', 'deploy', 'SKILL.md');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '---\nname: deploy\ndescription: Deploys\n---\n');
    const index = new SkillsIndex({ db: heard.store.db, home, now: heard.store.now, log: silentLog });
    index.refresh([]);
    expect(heard.lifecycleEvents()).toEqual([]);
    writeFileSync(path, '---\nname: deploy\ndescription: Deploys to staging first\n---\n');
    utimesSync(path, new Date(), new Date(Date.now() + 5_000));
    index.refresh([]);
    expect(heard.lifecycleEvents()).toMatchObject([{ event: 'skill.refreshed', payload: { path } }]);
  });
});

describe('C4: question.asked fires whoever asks', () => {
  test('a person who seems to retract a lesson', async () => {
    const heard = listening(tempStore());
    const { store } = heard;
    const { learning } = given(store, { title: 'Use pnpm', project: 'acme/shop' });
    const detail = JSON.stringify({ about: 'pnpm', quote: 'forget about pnpm', project: 'acme/shop' });
    noteEffect(store.db, { kind: 'forget', session: 's', at: START + 1_000, detail });
    await createRetractor({
      store,
      log: silentLog,
      resolve: withKnobs(),
      findRelevant: () => Promise.resolve([{ learning, relevance: 0.45 }]),
      isReading: () => false,
    }).run();
    expectAsked(heard, 'contradiction');
  });

  test('an archive that says something else', async () => {
    const there = tempStore();
    const { id } = given(there, { title: 'Use pnpm' }).learning;
    changeLearning(there, id, { rule: 'Never npm.' }, EDITED);
    const path = archivePath();
    await exportArchive(partsOf(there), path, { replace: false, report: silent });
    const heard = listening(tempStore());
    given(heard.store, { title: 'Use pnpm' });
    await importArchive(partsOf(heard.store), path, 'merge', silent);
    expectAsked(heard, 'twin');
  });
});

describe('a commit', () => {
  test('reaches everyone once, and a change that is rolled back reaches nobody', () => {
    const { store, ui, woken, lifecycleEvents } = listening(tempStore());
    const failing = () =>
      asOneUnit(store, () => {
        const one = given(store, { title: 'Lost' }).learning;
        const other = given(store, { title: 'Lost too' }).learning;
        askMerge(store, { at: START, similarity: 1, existingId: one.id, incomingId: other.id });
        replaceSlot({ db: store.db, now: store.now }, { project: '', name: 'persona' }, 'Ada', 'test');
        throw new Error('half-way');
      });
    expect(failing).toThrow('half-way');
    expect([ui, woken, lifecycleEvents()]).toEqual([[], { embedding: 0, outcomes: 0 }, []]);

    const { id } = asOneUnit(store, () => {
      const { learning } = given(store, { title: 'Kept' });
      return changeLearning(store, learning.id, { rule: 'Always.' }, EDITED).learning;
    });
    expect(ui).toEqual([
      { type: 'learning.changed', id, kind: 'create' },
      { type: 'learning.changed', id, kind: 'update' },
      { type: 'inbox.changed' },
    ]);
    expect(woken).toEqual({ embedding: 1, outcomes: 1 });
    expect(lifecycleEvents().map(({ event, payload }) => [event, payload.id])).toEqual([
      ['learning.created', id],
      ['learning.updated', id],
    ]);
  });

  test('updates what it changes: the Inbox, a slot, the outcomes, a learning that is deleted', () => {
    const { store, ui } = listening(tempStore());
    const { db } = store;
    const { id } = given(store, { title: 'Kept' }).learning;
    const seen = (work: () => unknown) => {
      ui.length = 0;
      work();
      return ui.map(({ type }) => type);
    };
    const gap = { query: 'how to ship', project: 'p' };
    expect(seen(() => addGap(db, { ...gap, at: 1, normalized: 'ship', session: 's' }))).toEqual([
      'inbox.changed',
    ]);
    expect(seen(() => closeGap(db, gap, true))).toEqual(['inbox.changed']);
    expect(
      seen(() => replaceSlot({ db, now: store.now }, { project: '', name: 'persona' }, 'Ada', 'test')),
    ).toEqual(['slots.changed']);
    const review = {
      at: 1,
      learningId: id,
      source: 'feedback',
      result: 'pass',
      alpha: 0.3,
      qBefore: 0.5,
      qAfter: 0.6,
      qualityStep: 0,
      traceId: null,
      session: '',
      reason: '',
    } as const;
    expect(seen(() => addReview(db, review))).toEqual(['outcomes.changed']);
    const erasure = findErased(db, { learnings: [id], sessions: [], projects: [] });
    expect(seen(() => eraseRows(db, erasure, START))).toEqual(['learning.changed', 'inbox.changed']);
  });

  test('that answers a question, and the undo that reopens it, update the Inbox', () => {
    const { store, ui, asked } = listening(tempStore());
    const existing = given(store, { title: 'Use pnpm' }).learning;
    const incoming = given(store, { title: 'Use pnpm always', status: 'proposed' }).learning;
    const question = askMerge(store, {
      at: START,
      similarity: 1,
      existingId: existing.id,
      incomingId: incoming.id,
    });
    ui.length = 0;
    const { changeId } = answerMerge(store, question, 'dismiss', {}, 'person');
    expect(ui.filter(({ type }) => type === 'inbox.changed')).toHaveLength(1);
    undo(store, changeId, 'person');
    expect(ui.filter(({ type }) => type === 'inbox.changed')).toHaveLength(2);
    expect(asked()).toHaveLength(1); // opened again, it is no new question
  });

  test('that repairs the graph is announced; a preview is not', () => {
    const { store, lifecycleEvents } = listening(tempStore());
    const mended = () => lifecycleEvents().filter(({ event }) => event === 'graph.maintained');
    store.db.exec(`INSERT INTO entity (name, type, description) VALUES ('nobody names it', 'tool', '')`);
    expect(previewMaintenance(store.db)).toMatchObject({ orphans: 1 });
    expect(mended()).toEqual([]);
    atOnce(maintain(store.db));
    atOnce(maintain(store.db));
    expect(mended()).toMatchObject([{ payload: { orphans: 1 } }]);
  });
});
