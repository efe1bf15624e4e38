import type { Attempt, ReflectionFlag, SelfReflection } from '#contract/loops.ts';
import { jaccard } from '../../text/similarity.ts';
import { contentTerms } from '../../text/tokenise.ts';

const SHORTEST = 100; // characters
const SAME = 0.85; // share of words in common
const UNSURE = 0.5;
/** Advice that fits anything. */
const GENERIC = [
  /^(?:i (?:will|should|must) |to |just )?(?:be (?:more )?careful|do better|pay (?:more )?attention)[.!]?$/i,
  /^(?:i (?:will|should|must) |to |just )?(?:test|check|think|try|work)(?: (?:it|again|harder|more|carefully|thoroughly|better))+[.!]?$/i,
  /^(?:i (?:will|should|must) |to |just )?(?:double[- ]check(?: everything)?|fix (?:it|the (?:bug|error|issue)s?))[.!]?$/i,
];

/** The weaknesses of a reflection, compared with the previous one. */
export function flagsOf(
  { self_reflection: reflection, performance_delta: delta }: Attempt,
  previous: SelfReflection | undefined,
): ReflectionFlag[] {
  if (!reflection) return [];
  const {
    reflection_text: text,
    credit_assignment: credit,
    actionable_insights: insights = [],
    confidence,
  } = reflection;
  const flags: Array<[ReflectionFlag, boolean]> = [
    ['too-short', text.trim().length < SHORTEST],
    [
      'no-credit-assignment',
      !credit?.root_cause?.trim() && (credit?.failing_action_indices?.length ?? 0) === 0,
    ],
    ['no-actionable-insight', insights.every((insight) => insight.trim() === '')],
    [
      'repeats-the-last',
      previous !== undefined && jaccard(contentTerms(text), contentTerms(previous.reflection_text)) >= SAME,
    ],
    [
      'generic-advice',
      insights.length > 0 &&
        insights.every((insight) => GENERIC.some((phrase) => phrase.test(insight.trim()))),
    ],
    [
      'unsure-and-no-better',
      confidence !== undefined && confidence < UNSURE && delta?.is_improvement === false,
    ],
  ];
  return flags.filter(([, raised]) => raised).map(([flag]) => flag);
}
