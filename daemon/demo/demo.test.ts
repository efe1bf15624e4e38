import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Note, Signals } from '#contract/entities.ts';
import { Gap } from '#contract/recall.ts';
import { Slot } from '#contract/slots.ts';
import { Attempt, LoopId } from '#contract/loops.ts';
import { listLearnings } from '../store/learnings/list.ts';
import { listMoments } from '../store/capture/moments.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { iterationsOf, listLoops } from '../store/outcomes/loops.ts';
import { listSessions, usesOfLearning } from '../store/outcomes/session-uses.ts';
import { listReviews } from '../store/outcomes/reviews.ts';
import type { ReadableDb } from '../store/db.ts';
import { memoryStore, START, tempFolder } from '../testing/temp-home.ts';
import { buildDemo } from './demo.ts';
import { fillWithDemo } from './fill.ts';

const now = Date.UTC(2026, 5, 15);
const demo = buildDemo(now);
const byKey = new Map(demo.learnings.map((learning) => [learning.key, learning]));
const known = new Set(['', ...demo.projects.map((project) => project.id)]);

let filled: ReadableDb | undefined;

/** Filled once: the tests only read, and filling takes most of their time. */
function filledStore(): ReadableDb {
  if (filled) return filled;
  const db = memoryStore();
  fillWithDemo({ db, documents: join(tempFolder(), 'documents'), now: () => START });
  return (filled = db);
}

describe('the demo knowledge base', () => {
  it('holds at least 58 notes over two projects, with signals and earlier forms that are valid', () => {
    expect(demo.learnings.length).toBeGreaterThanOrEqual(58);
    for (const { key, note, signals, history } of demo.learnings) {
      expect(Signals.partial().safeParse(signals ?? {}).error, key).toBeUndefined();
      for (const earlier of history)
        expect(Note.safeParse({ ...note, ...earlier.note }).error, key).toBeUndefined();
    }
    expect(demo.projects).toHaveLength(2);
    for (const { id } of demo.projects) {
      expect(demo.learnings.filter(({ note }) => note.project === id).length, id).toBeGreaterThanOrEqual(20);
    }
  });

  it('counts for every note what its sessions say', () => {
    const db = filledStore();
    for (const { id, title } of listLearnings(db, { limit: 500, offset: 0 }).items) {
      const { recallCount, helpfulCount } = getLearning(db, id).signals;
      const sessions = usesOfLearning(db, id, 500);
      const helped = sessions.filter(({ outcome }) => outcome === 'pass');
      expect([recallCount, helpfulCount], title).toEqual([sessions.length, helped.length]);
    }
  });

  it('gives every session a request of its own', () => {
    const db = filledStore();
    const titles = listSessions(db, { limit: 500, liveSince: now }).map(({ title }) => title);
    expect(titles.length).toBeGreaterThan(100);
    expect(titles.filter((title, at) => title === '' || titles.indexOf(title) !== at)).toEqual([]);
  });

  it('gives every note its own key and a title that is short and unlike the others', () => {
    const titles = [
      ...demo.learnings.map(({ note }) => note.title),
      ...demo.merges.map(({ incoming }) => incoming.title),
    ];
    expect(byKey.size).toBe(demo.learnings.length);
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles.filter((title) => title.length > 110)).toEqual([]);
  });

  it('says for every note what went wrong, what to do, the rule, and whose words it came from', () => {
    for (const { key, note } of demo.learnings) {
      for (const field of [
        note.problem,
        note.fix,
        note.rule,
        note.provenance.agent,
        note.provenance.session,
        note.provenance.quote,
      ]) {
        expect(field, key).toBeTruthy();
      }
    }
  });

  it('belongs to a known project, or to none when it holds everywhere', () => {
    for (const { key, note } of demo.learnings) {
      expect(known, key).toContain(note.project);
      expect(note.scope === 'global', key).toBe(note.project === '');
    }
    expect(demo.learnings.filter(({ note }) => note.scope === 'global').length).toBeGreaterThanOrEqual(8);
  });

  it('draws relations only between entities that some note declares', () => {
    const declared = new Set(
      demo.learnings.flatMap(({ note }) => note.entities.map((entity) => entity.name)),
    );
    const ends = demo.learnings.flatMap(({ note }) =>
      note.relations.flatMap(({ source, target }) => [source, target]),
    );
    expect(ends.filter((end) => !declared.has(end))).toEqual([]);
  });

  it('ends no relation before it began', () => {
    const relations = demo.learnings.flatMap(({ note }) => note.relations);
    const bounded = relations.filter(({ validFrom, validTo }) => validFrom && validTo);
    expect(bounded.length).toBeGreaterThan(0);
    for (const { validFrom, validTo } of bounded) expect(Number(validTo)).toBeGreaterThan(Number(validFrom));
  });

  it('replaces the token decision by server-side sessions', () => {
    const old = byKey.get('auth-jwt')?.note;
    expect(old).toMatchObject({ status: 'superseded', isLatest: false });
    expect(byKey.get(old?.supersededBy ?? '')?.note.status ?? 'active').toBe('active');
  });

  it('shows each special kind of note', () => {
    const notes = demo.learnings.map(({ note }) => note);
    expect(
      notes
        .map((note) => note.branch)
        .filter(Boolean)
        .sort(),
    ).toEqual(['feat/checkout-v2', 'feat/tax-engine']);
    expect(notes.some((note) => note.speculative)).toBe(true);
    expect(
      notes.some((note) => note.outcome === 'fail' && note.keyMistake && note.correctAction && note.guidance),
    ).toBe(true);
    expect(notes.some((note) => (note.forgetAfter ?? 0) > now)).toBe(true);
    expect(
      notes.filter((note) => /raise.*worker_connections/i.test(`${note.title} ${note.fix}`)).length,
    ).toBe(4);
  });

  it('keeps earlier versions, oldest first, all of them older than the present form', () => {
    const changed = demo.learnings.filter(({ history }) => history.length >= 2);
    expect(changed.length).toBeGreaterThanOrEqual(4);
    for (const { key, daysAgo, history } of changed) {
      const ages = history.map((earlier) => earlier.daysAgo);
      expect([...ages, daysAgo], key).toEqual([...ages, daysAgo].sort((a, b) => b - a));
      expect(Math.min(...ages), key).toBeGreaterThan(daysAgo);
    }
  });

  it('recalls no note before it existed', () => {
    for (const { key, daysAgo, signals } of demo.learnings) {
      const recalled = signals?.lastRecalledAt;
      if (recalled) expect(recalled, key).toBeGreaterThan(now - daysAgo * 86_400_000);
    }
  });

  it('asks about merges with notes that exist, in the project of the incoming one', () => {
    expect(demo.merges).toHaveLength(4);
    for (const { existing, incoming, similarity } of demo.merges) {
      expect(byKey.get(existing)?.note.project, existing).toBe(incoming.project);
      expect(similarity).toBeGreaterThanOrEqual(0.97);
      expect(similarity).toBeLessThan(1);
    }
  });

  it('fills slots within their limits, one of each name per project', () => {
    expect(demo.slots).toHaveLength(8);
    for (const slot of demo.slots) {
      expect(Slot.safeParse({ ...slot, updatedAt: now }).error, slot.name).toBeUndefined();
      expect(slot.content.length, slot.name).toBeLessThanOrEqual(slot.sizeLimit);
      expect(known).toContain(slot.project);
    }
    expect(new Set(demo.slots.map(({ project, name }) => `${project} ${name}`)).size).toBe(8);
  });

  it('lists six gaps that were asked at least once per session', () => {
    expect(demo.gaps).toHaveLength(6);
    for (const { daysAgo, ...gap } of demo.gaps) {
      expect(Gap.safeParse({ ...gap, lastAt: now - daysAgo }).error, gap.query).toBeUndefined();
      expect(gap.times).toBeGreaterThanOrEqual(gap.sessions);
      expect(known).toContain(gap.project);
    }
  });
});

describe('the outcomes of the demo', () => {
  it('judges only learnings that are there, in the order it happened', () => {
    for (const { key, went } of demo.judged) {
      expect([...byKey.keys()]).toContain(key);
      expect(
        went.map(({ daysAgo }) => daysAgo),
        key,
      ).toEqual(went.map(({ daysAgo }) => daysAgo).toSorted((a, b) => b - a));
    }
  });

  it('lets a loop that left a learning pass, and says of every failed attempt why', () => {
    for (const { id, learning, attempts } of demo.loops) {
      expect(LoopId.safeParse(id).success, id).toBe(true);
      if (learning) expect([...byKey.keys()]).toContain(learning);
      expect(attempts.at(-1)?.errors === 0, id).toBe(learning !== undefined);
      expect(
        attempts.filter(({ errors, why }) => errors > 0 !== (why !== undefined)),
        id,
      ).toEqual([]);
    }
  });

  it('is kept so that the pages can read it', () => {
    const db = filledStore();
    expect(listReviews(db, { limit: 500 })).toHaveLength(demo.judged.flatMap(({ went }) => went).length);
    for (const loop of listLoops(db, undefined, 10)) {
      for (const { record } of iterationsOf(db, loop.id))
        expect(Attempt.safeParse(record).error, loop.id).toBeUndefined();
    }
  });

  it('shows that each note was captured when it was said', () => {
    const db = filledStore();
    for (const { at, learningId } of listMoments(db, undefined, 500))
      if (learningId) expect(getLearning(db, learningId).createdAt, learningId).toBe(at);
  });
});
