import * as z from 'zod';
import { TaskOutcome, type NewExperience } from '#contract/outcomes.ts';
import { effectsAfter } from '../../store/capture/effects.ts';
import { asOneUnit, type Store } from '../../store/learnings/write.ts';
import { getMeta, setMeta } from '../../store/meta.ts';
import { beginning } from '../../text/one-line.ts';
import { firstSentence } from '../../text/sentences.ts';
import { contentWords } from '../../text/tokenise.ts';
import { addExperience, type Keep } from './keep.ts';

/** A turn of work as capture saw it. */
const WorkDone = z.object({
  task: z.string(),
  outcome: TaskOutcome,
  steps: z.array(z.string()),
  errors: z.array(z.string()),
  project: z.string().default(''),
});
type WorkDone = z.infer<typeof WorkDone>;

const CURSOR = 'experiences-taken';
const AT_ONCE = 200;
const MOST_KEYWORDS = 12;

/** Turns work that capture has seen since the last run into experiences. Returns how many were created. */
export function takeExperiences(store: Store, keep: Keep): number {
  const { db } = store;
  let taken = 0;
  for (;;) {
    const effects = effectsAfter(db, 'experience', Number(getMeta(db, CURSOR) ?? 0), AT_ONCE);
    if (effects.length === 0) return taken;
    for (const { id, session, detail } of effects) {
      asOneUnit(store, () => {
        const work = WorkDone.parse(JSON.parse(detail));
        const resolved = { project: work.project || null, branch: null, root: undefined };
        if (addExperience(store, keep, experienceOf(work, session), resolved).created) taken++;
        setMeta(db, CURSOR, String(id));
      });
    }
  }
}

/** Gives a success after an error a higher quality, because it teaches more than a smooth run. */
function experienceOf({ task, outcome, steps, errors }: WorkDone, session: string): NewExperience {
  return {
    task: beginning(task, 2_000),
    outcome,
    category: categoryOf(steps),
    quality: outcome === 'success' && errors.length > 0 ? 4 : 3,
    lessons: lessonOf(outcome, steps, errors),
    keywords: contentWords(task).slice(0, MOST_KEYWORDS),
    trace: steps.join('\n'),
    session,
  };
}

function lessonOf(outcome: TaskOutcome, steps: string[], errors: string[]): string {
  const [first = 'no result'] = errors;
  const list = (some: string[]) =>
    some
      .slice(-3)
      .map((step) => beginning(step, 160))
      .join('; then ');
  if (outcome === 'failed')
    return `It ended with: ${beginning(errors.at(-1) ?? first, 300)}. The last steps were ${list(steps)}.`;
  if (outcome === 'partial') return `It was interrupted after: ${list(steps)}.`;
  const after = steps.slice(steps.findLastIndex((step) => step.endsWith('(failed)')) + 1);
  return errors.length > 0
    ? `${beginning(first, 300)} was overcome by: ${list(after)}.`
    : `It was done by: ${list(steps)}.`;
}

const CATEGORIES: ReadonlyArray<[category: string, cue: RegExp]> = [
  ['testing', /\b(?:test|vitest|jest|pytest|spec|playwright)\b/i],
  ['git', /\bgit\b/i],
  ['build', /\b(?:npm|pnpm|yarn|cargo|make|docker|build|install)\b/i],
  ['coding', /\b(?:edit|write|patch)\b/i],
];

/** The category that matches most of the steps. */
function categoryOf(steps: string[]): string {
  const counted = CATEGORIES.map(
    ([category, cue]) =>
      [category, steps.filter((step) => cue.test(firstSentence(step, 200))).length] as const,
  );
  const [best] = counted.toSorted(([, a], [, b]) => b - a);
  return best && best[1] > 0 ? best[0] : 'general';
}
