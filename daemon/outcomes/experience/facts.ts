import { Note, type Learning } from '#contract/entities.ts';
import type { Fact, Where } from '#contract/outcomes.ts';
import { type Resolve, resolveAll } from '../../ports/knob.ts';
import { FACT, factsToInject, factTier } from '../../recall/inject/fact-tier.ts';
import { learningsOfType } from '../../store/learnings/find.ts';
import type { ReadableDb } from '../../store/db.ts';
import { appendHistory } from '../../store/learnings/history-log.ts';
import { asOneUnit, type Store } from '../../store/learnings/write.ts';
import { shardsIn } from '../../store/search/shards.ts';
import { scopeOf, resolveProject } from '../resolve-project.ts';
import type { Keep } from './keep.ts';

const toFact = ({ id, category, title, project, updatedAt: at }: Learning): Fact => ({
  id,
  category: category as Fact['category'],
  text: title,
  project,
  at,
});

type NewFact = Where &
  Pick<Fact, 'text' | 'category'> & {
    global?: boolean | undefined;
    /** Why a person has to keep it first; it is injected nowhere until then. */
    waits?: string;
  };

/** Adds a fact that is injected into every session of the project, or of all projects. */
export function addFact(
  store: Store,
  keep: Keep,
  { text, category, global = false, waits, ...where }: NewFact,
): Fact {
  const { project, scope } = scopeOf(global ? resolveProject({}) : resolveProject(where));
  return asOneUnit(store, () => {
    const note = { title: text, type: FACT, category, project, scope, rule: text };
    const standing = waits
      ? { status: 'candidate', confidence: 0.5, metadata: { judged: { against: [waits] } } }
      : { confidence: 0.9 };
    const { learning } = keep(Note.parse({ ...note, ...standing }), 'a long-term fact');
    if (!waits) appendHistory(store, { kind: 'fact', project, text });
    return toFact(learning);
  });
}

/** Every fact of a project, and whether it is injected into sessions there. */
export function factsAt(db: ReadableDb, where: Where, resolve: Resolve): Array<Fact & { injected: boolean }> {
  const { project, branch } = resolveProject(where);
  const facts = learningsOfType(db, {
    type: FACT,
    statuses: ['active'],
    shards: shardsIn(db, { project, branch, allBranches: false, everywhere: project === null }),
  });
  const injected = new Set(
    resolve(factTier.switch)
      ? factsToInject(facts, resolveAll(factTier.knobs, resolve)).map(({ id }) => id)
      : [],
  );
  return facts.map((fact) => ({ ...toFact(fact), injected: injected.has(fact.id) }));
}
