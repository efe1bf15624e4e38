import { identifyProject } from '../../platform/project.ts';
import { flag, integer, number } from '../../ports/knob.ts';
import { withKnob } from '../../ports/overrides.ts';
import { projectPort } from '../../ports/port.ts';
import { contentTerms } from '../../text/tokenise.ts';
import { outOfDomain } from '../gate/out-of-domain.ts';
import { matchedIn } from '../hits.ts';
import { answer, type RecallParts } from '../recall.ts';
import { byWorth, EXPERIENCE_HALF_LIFE } from './experience-marks.ts';
import { prevailing, rivalsOf } from './disputes.ts';
import { choose, learningsBlock } from './learnings-block.ts';
import { framed, type Injection, injectionOf, NO_INJECTION } from './injection.ts';

/**
 * `node daemon/recall/bench/prompts.ts` measures the bar, on the notes and the people's own prompts of real sessions.
 * At 0.6 seven of 1,833 prompts are answered from the notes of another repository; of 1,099 questions that a note
 * answers 55 % are, and 77 % of those answers hold the right note. At 0.55 forty prompts are answered wrongly, at 0.5
 * a hundred.
 */
export const promptTier = projectPort({
  id: 'inject.prompt',
  seeds: [],
  doc: 'When a learning is relevant to a prompt, injects it with the prompt, once per session; otherwise injects nothing.',
  switch: flag('REFLECT_PROMPT_INJECT', true, 'Inject learnings that are relevant to a prompt'),
  knobs: {
    minRelevance: number('REFLECT_PROMPT_MIN_RELEVANCE', {
      default: 0.6,
      min: 0,
      max: 1,
      doc: 'Minimum relevance of a learning to a prompt, by words and meaning; less for confident learnings',
    }),
    limit: integer('REFLECT_PROMPT_LIMIT', {
      default: 3,
      min: 1,
      max: 20,
      doc: 'Maximum number of learnings injected with one prompt',
    }),
    maxTokens: integer('REFLECT_PROMPT_MAX_TOKENS', {
      default: 500,
      min: 50,
      max: 100_000,
      doc: 'Maximum tokens of learnings injected with one prompt',
    }),
    minChars: integer('REFLECT_PROMPT_MIN_CHARS', {
      default: 12,
      min: 0,
      max: 10_000,
      doc: 'Shorter prompts, in characters, are not searched for',
    }),
  },
});

const LONGEST_QUERY = 2_000; // characters; a pasted log adds nothing after that
const FEWEST_TERMS = 3; // "run the tests" matches every note on tests
/** Over-fetch factor: some hits were injected before. */
const OVER_FETCH = 3;

export interface HookRequest {
  cwd: string;
  session?: string | undefined;
  /** When the agent stops waiting, on the clock of `performance.now()`. */
  deadline?: number | undefined;
  /** Ids of the learnings the session already has in its context. */
  injected: ReadonlySet<string>;
}

/** The learnings to inject with a prompt; mostly none. */
export async function injectForPrompt(
  parts: RecallParts,
  { prompt, ...request }: HookRequest & { prompt: string },
): Promise<Injection> {
  const here = identifyProject(request.cwd);
  const resolve = parts.settings.resolver({ projectRoot: here?.root });
  const query = prompt.trim().slice(0, LONGEST_QUERY);
  if (
    !here ||
    !resolve(promptTier.switch) ||
    query.length < resolve(promptTier.knobs.minChars) ||
    contentTerms(query).size < FEWEST_TERMS
  )
    return NO_INJECTION;
  const limit = resolve(promptTier.knobs.limit);
  const knobs = withKnob(outOfDomain.knobs.minEach, resolve(promptTier.knobs.minRelevance));
  const { hits } = await answer(
    parts,
    { query, cwd: request.cwd, limit: limit * OVER_FETCH, thorough: true, deadline: request.deadline, knobs },
    { quiet: true },
  );
  const fresh = hits.map(({ learning }) => learning).filter(({ id }) => !request.injected.has(id));
  const ranked = byWorth(fresh, parts.now(), resolve(EXPERIENCE_HALF_LIFE));
  const rivals = rivalsOf(parts.db, ranked);
  const learnings = choose(prevailing(ranked, rivals), limit, resolve(promptTier.knobs.maxTokens));
  return injectionOf(
    framed(learningsBlock(`Learned earlier in ${here.name} on this`, learnings, { rivals })),
    learnings,
    matchedIn(hits),
  );
}
