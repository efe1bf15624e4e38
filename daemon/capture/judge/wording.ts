import { straightQuotes } from '../../text/sentences.ts';

/** A longer text was pasted or printed; its beginning is enough, and patterns stay fast. */
export const JUDGED = 8_000; // characters

/** Lower case, straight quotes, single spaces, no emoji: what patterns are matched against. */
export function plain(text: string): string {
  return straightQuotes(text.slice(0, JUDGED))
    .toLowerCase()
    .replace(/\p{Extended_Pictographic}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const INTERJECTION = '(?:now|next|first|then|ok|okay|good|great|perfect|excellent|right)[,.! —-]*';
const NEXT_STEP =
  "let me|let's|i'll|i will|i'm (?!not|sure)\\w+|i am|now i|i need to|i can|i should|running|checking|looking";
const NARRATION = new RegExp(`^(?:${INTERJECTION})?(?:${NEXT_STEP})\\b`, 'i');

/** Tests a text for any of these patterns. */
export const anyOf =
  (...patterns: RegExp[]) =>
  (text: string) =>
    patterns.some((pattern) => pattern.test(text));

export const FOUND: readonly RegExp[] = [
  /\b(?:found (?:it|the (?:bug|issue|problem|root cause|cause|culprit))|root cause)\b/,
  /\b(?:i see (?:the|what|why)|here's the (?:issue|problem|bug)|(?:bug|issue|problem) is clear)\b/,
];
const TROUBLE = 'issue|problem|bug|failure|cause|culprit|reason|error|difference|catch|fix|gap';
export const NAMES_CAUSE: readonly RegExp[] = [
  new RegExp(
    `\\bthe (?:real |actual |key |main |only (?:\\w+ ){0,2})?(?:${TROUBLE})s?(?: here)? (?:is|was|are|happens|comes)\\b`,
  ),
  /\b(?:the catch|key problem|likely reason|turns out)\b/,
  /\b(?:which explains|explains why|that's (?:why|a bug|because)|this is because)\b/,
];

/** The statement claims to have found something, or names a cause. */
export const namesRootCause = anyOf(...FOUND, ...NAMES_CAUSE);

const EXPLAINS = anyOf(
  /\b(?:because|since|caus(?:es|ed|ing)|due to|which means|this means|therefore|otherwise|so that|so (?:the|it|when))\b/,
  /\b(?:instead of|rather than|only (?:when|if|for|the|in|works|reads|loads)|unless|even though|unlike)\b/,
  /\b(?:must|requires?|needs? to|has to|expects|cannot|can't|doesn't|does not|isn't|won't|never|no longer)\b/,
);
/** A sentence that gives a reason, a limit or a condition. */
export const explains = (sentence: string) => EXPLAINS(sentence.toLowerCase());

/** Templates, plans and test prompts speak in a person's name, but no person chose the words. */
const TEMPLATES = [
  /^(?:<|\{|\[\[ ## |# )/,
  /^(?:you are an? |implement the following plan|review (?:this|the) (?:pr|pull request))/,
  /^(?:(?:reply|respond) with|return only)/,
];
export const isTemplate = anyOf(...TEMPLATES);

const PRESCRIBES = anyOf(
  /^(?:[-*•]|\d+[.)])?\s*(?:\*\*)?(?:always|never|do not|don't|make sure|avoid|only|prefer)\b/i,
  /\bmust(?: not| never| always)? [a-z]+/i,
  /\bshould (?:not|never|always) [a-z]+/i,
  /\b(?:from now on|going forward|by convention|as a rule)\b/i,
  /\bbefore (?:you )?(?:commit|push|merg|finish|consider)\w*/i,
);
const MOST_RULES = 8;

/** The sentences of a longer text that say how things are to be done, beyond the task at hand. */
export const ruleSentences = (text: string) => statements(text).filter(PRESCRIBES).slice(0, MOST_RULES);

/** True for a text that announces the speaker's next step and states nothing. */
export const narrates = (text: string) => NARRATION.test(text);

/** True for a text that announces the next step and nothing else. */
export const onlyNarrates = (text: string) => narrates(text) && statements(text).length === 0;

/** The sentences that state something, without code blocks, headings and narration. */
export function statements(text: string): string[] {
  return straightQuotes(text.slice(0, JUDGED))
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .split(/(?<=[.!?:])\s+(?=[\p{Lu}\p{Lo}"'`(*\d-])|(?<=[。！？])|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 25 && !narrates(sentence));
}
