import { Note, type NoteInput } from '#contract/entities.ts';
import { addLearning, changeLearning, type Store } from '../store/learnings/write.ts';
import { rememberProject } from '../store/learnings/learnings.ts';
import { setSignals } from '../store/learnings/signals.ts';
import { addGap, askMerge } from '../store/learnings/questions.ts';
import { contentWords } from '../text/tokenise.ts';
import { putSlot } from '../store/learnings/slots.ts';
import { enqueueMoment, settleMoment } from '../store/capture/moments.ts';
import { buildDemo } from './demo.ts';
import { fillOutcomes } from './fill-outcomes.ts';
import type { DemoLearning } from './types.ts';
import { DAY } from '../platform/time.ts';

/** Lives through the demo's past on a store whose clock is turned back, so that its history is real. */
export function fillWithDemo(store: Store): void {
  const now = store.now();
  const { projects, learnings, merges, gaps, slots, judged, loops } = buildDemo(now);
  const at = (daysAgo: number): Store => ({ ...store, now: () => now - daysAgo * DAY });
  for (const project of projects) rememberProject(store.db, { ...project, root: '' }, now);
  const ids = new Map(learnings.map((learning) => [learning.key, live(learning, at)]));
  // A note is superseded by another one's key, whose id is known only now.
  for (const { key, note, daysAgo } of learnings) {
    const supersededBy = note.supersededBy && ids.get(note.supersededBy);
    if (supersededBy)
      changeLearning(
        at(daysAgo),
        ids.get(key) ?? '',
        { supersededBy },
        { actor: 'person', kind: 'supersede', reason: 'no longer true' },
      );
  }
  for (const { existing, incoming, similarity, daysAgo } of merges) {
    const held = addLearning(at(daysAgo), Note.parse({ ...incoming, status: 'proposed' }), {
      actor: 'demo',
      kind: 'create',
      reason: 'held: says nearly the same',
    });
    askMerge(store.db, {
      at: now - daysAgo * DAY,
      similarity,
      existingId: ids.get(existing) ?? '',
      incomingId: held.learning.id,
    });
  }
  for (const { query, project, times, sessions, daysAgo } of gaps) {
    for (let time = 0; time < times; time++) {
      addGap(store.db, {
        at: now - (daysAgo + time) * DAY,
        query,
        normalized: contentWords(query).toSorted().join(' '),
        project,
        session: `demo-${time % sessions}`,
      });
    }
  }
  for (const slot of slots) putSlot(store.db, { ...slot, updatedAt: now });
  for (const { key, note, daysAgo } of learnings) noticed(at(daysAgo), ids.get(key) ?? '', Note.parse(note));
  fillOutcomes(store.db, { judged, loops }, ids, (daysAgo) => now - daysAgo * DAY);
}

function live(
  { note, daysAgo, signals, history = [] }: DemoLearning,
  at: (daysAgo: number) => Store,
): string {
  const forms: Array<{ daysAgo: number; note: NoteInput; reason: string; actor: string }> = [
    ...history.map((form) => ({ ...form, note: { ...note, ...form.note } })),
    {
      daysAgo,
      note,
      reason: history.length > 0 ? 'said more exactly' : 'noticed by signal.correction',
      actor: history.length > 0 ? 'person' : 'heuristic',
    },
  ];
  const [first = { daysAgo, note, reason: '', actor: 'demo' }, ...later] = forms;
  const { learning } = addLearning(at(first.daysAgo), Note.parse(first.note), {
    actor: first.actor,
    kind: 'create',
    reason: first.reason,
  });
  for (const form of later)
    changeLearning(at(form.daysAgo), learning.id, Note.parse(form.note), {
      actor: form.actor,
      kind: 'update',
      reason: form.reason,
    });
  if (signals) setSignals(at(0).db, learning.id, signals);
  return learning.id;
}

/** The moment a note was captured at, as the stream of captures shows it. */
function noticed({ db, now }: Store, learningId: string, { provenance, project, branch }: Note): void {
  const { agent, session, quote } = provenance;
  const turns = [{ role: 'human', text: quote, at: now(), trigger: true }];
  const payload = JSON.stringify({
    quote,
    type: 'correction',
    speculative: false,
    why: ['a person corrects the agent'],
    score: 0.9,
    span: { start: 0, end: 0 },
    turns,
  });
  const id = enqueueMoment(
    db,
    {
      key: `demo-${learningId}`,
      chunkHash: `demo-${learningId}`,
      signal: 'signal.correction',
      agent,
      session,
      transcript: '',
      project,
      branch,
      at: now(),
      payload,
    },
    now(),
  );
  if (id !== null) settleMoment(db, id, 'kept', learningId);
}
