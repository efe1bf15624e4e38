/** Splits into sentences, leaving the dots of file names, versions and code alone. */
export function sentences(text: string): string[] {
  return text
    .replace(/```[\s\S]*?```/g, ' ')
    .split(/(?<=[.!?])\s+(?=[A-Z"'`(])|\n+/)
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence.length > 2);
}

const DIRECTIVES: ReadonlyArray<[weight: number, pattern: RegExp]> = [
  [4, /\b(?:never|always|must(?: not)?|mustn't)\b/i],
  [3, /\b(?:don't|do not|stop|avoid|should(?: not|n't)?)\b/i],
  [3, /\b(?:instead|rather than)\b/i],
  [2, /\b(?:use|run|make sure|remember|prefer|need to|have to)\b/i],
];

/** The sentence that tells what to do, as a rule; null when none does. */
export function bestDirective(text: string): string | null {
  let best: { sentence: string; weight: number } | null = null;
  for (const sentence of sentences(text)) {
    if (sentence.length > 400) continue;
    const weight = DIRECTIVES.reduce((sum, [points, pattern]) => sum + (pattern.test(sentence) ? points : 0), 0);
    if (weight > (best?.weight ?? 0)) best = { sentence, weight };
  }
  return best && asRule(best.sentence);
}

const OPENINGS = /^(?:no+|nope|nah|wait|hmm+|hey|ok(?:ay)?|yes|yeah|well|but|and|so|also|actually|please|you're (?:absolutely )?right|good (?:catch|point))\b[\s,.!:;—–-]*/i;

/** Takes off what only links a sentence to the conversation, so that it stands alone. */
export function asRule(sentence: string): string {
  let rule = sentence.replace(/[“”]/g, '"').replace(/[‘’]/g, "'").trim();
  for (let shorter = rule.replace(OPENINGS, ''); shorter !== rule && shorter.length > 8; shorter = rule.replace(OPENINGS, '')) rule = shorter;
  rule = rule.replace(/^(?:you|we) (?=(?:should|must|need|have|always|never)\b)/i, '').replace(/^i (?:already )?(?:told you|said) (?:to |that )?/i, '');
  rule = rule.replace(/^(?:should|must|need to|have to) (?=not\b)/i, 'Do ').replace(/^(?:should|must|need to|have to) /i, '');
  return rule.charAt(0).toUpperCase() + rule.slice(1).replace(/[.!\s]+$/, '');
}
