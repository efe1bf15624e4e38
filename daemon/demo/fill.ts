import { Note } from '#contract/entities.ts';
import { addLearning, changeLearning, type Store } from '../store/learnings/write.ts';
import { rememberProject } from '../store/learnings/learnings.ts';
import { setSignals } from '../store/learnings/signals.ts';
import { addGap, askMerge } from '../store/learnings/questions.ts';
import { contentWords } from '../text/tokenise.ts';
import { putSlot } from '../store/learnings/slots.ts';
import { recordSessionActivity } from '../store/capture/sessions.ts';
import { enqueueMoment, settleMoment } from '../store/capture/moments.ts';
import { demoRequests } from './requests.ts';
import { buildDemo, type DemoLearning } from './demo.ts';
import { fillOutcomes } from './fill-outcomes.ts';
import { DAY } from '../platform/time.ts';

/** Writes the demo with the clock set back, so that its history has real dates. */
export function fillWithDemo(store: Store): void {
  const now = store.now();
  const { projects, learnings, merges, gaps, slots, judged, loops } = buildDemo(now);
  const requestOf = demoRequests();
  const at = (daysAgo: number): Store => ({ ...store, now: () => now - daysAgo * DAY });
  for (const project of projects) rememberProject(store.db, { ...project, root: '' }, now);
  const ids = new Map(learnings.map((learning) => [learning.key, live(learning, at)]));
  // `supersededBy` names another note by its key, whose id is known only now.
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
    const held = addLearning(
      at(daysAgo),
      { ...incoming, status: 'proposed' },
      {
        actor: 'demo',
        kind: 'create',
        reason: 'held: says nearly the same',
      },
    );
    askMerge(at(daysAgo), {
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
  // A moment led to the first form of its note.
  for (const { key, note, daysAgo, history } of learnings) {
    const when = history[0]?.daysAgo ?? daysAgo;
    addMoment(at(when), ids.get(key) ?? '', note);
    const { provenance, project } = note;
    recordSessionActivity(store.db, {
      ...provenance,
      project,
      at: at(when).now(),
      request: requestOf(provenance.session, project, when),
    });
  }
  fillOutcomes(store.db, { judged, loops }, { ids, requestOf, ago: (daysAgo) => now - daysAgo * DAY });
}

/** Adds a learning in its first form and then changes it step by step. */
function live({ note, daysAgo, signals, history }: DemoLearning, at: (daysAgo: number) => Store): string {
  const present =
    history.length > 0
      ? { actor: 'person', reason: 'said more exactly' }
      : {
          actor: 'heuristic',
          reason: `noticed by signal.${note.type === 'decision' ? 'decision' : 'correction'}`,
        };
  const forms = [
    ...history.map((form) => ({ ...form, note: Note.parse({ ...note, ...form.note }) })),
    { daysAgo, note, ...present },
  ];
  let id = '';
  for (const { daysAgo: when, note: form, actor, reason } of forms) {
    if (id === '') id = addLearning(at(when), form, { actor, kind: 'create', reason }).learning.id;
    else changeLearning(at(when), id, form, { actor, kind: 'update', reason });
  }
  if (signals) setSignals(at(0).db, id, signals);
  return id;
}

/** Adds the moment from which a note was captured, as the session view shows it. */
function addMoment({ db, now }: Store, learningId: string, { provenance, project, branch }: Note): void {
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
