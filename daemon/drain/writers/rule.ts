import { baseOfGerund, baseOfParticiple } from './verb-forms.ts';

const PRAISE = '(?:good|great|excellent|fair|nice)';
/** Words that only link a sentence to the conversation around it. */
const OPENINGS = Object.values({
  refusal: 'no+|nope|nah|wait',
  hesitation: 'hm+|mm+|erm+|uh+|oh|ah|ha|hey|well',
  agreement: 'ok(?:ay)?|yes|yeah|yup|yep|sure|exactly|true|right|got it|makes sense|fair enough',
  link: 'but|and|so|also|then|now|actually|basically|instead(?=,)|on top of that',
  aside:
    '(?:however|unfortunately|interestingly|importantly|specifically|additionally|finally|furthermore|in addition|in fact|indeed|that said|still|plus)(?=,)|note that|notice that',
  politeness: 'please|sorry|thanks',
  approval: '(?:good|great|perfect|excellent|nice|interesting|clean|that makes sense)(?=[,.!]| [-—–] )',
  announcement: 'q|question|short answer|root cause|notable',
  concession: "you're (?:absolutely |completely |totally )?right(?: to \\w+(?: that| it| this)?)?",
  praise: `(?:that's|that is) (?:an? )?(?:really )?${PRAISE} \\w+`,
  barePraise: `${PRAISE} (?:catch|point|question|idea|call|eye|thinking|instinct)s?`,
  discovery: 'found (?:it|the (?:bug|issue|problem|root cause|cause))',
  insight: 'i (?:see|found) the (?:issue|problem|bug)(?: now)?|i see(?: it)?(?: now)?',
}).join('|');
/** Words in front of a statement that say what kind of statement it is. */
const LABEL =
  /^(?:(?:(?:the|key|main|real|actual|core|important|critical|one|quick|a) )*(?:insights?|notes?|limitations?|important|results?|reasons?|rules?|lessons?|takeaways?|caveats?|gotchas?|findings?|observations?|invariants?|differences?|cause|root cause|fix|bug fix|solution|problem|issue|summary|answer|why|current behaviou?r|expected)(?: is (?:clear|simple))?|in short|bottom line|to be clear|in other words|for context|fyi|heads[- ]up|tl;?dr)\s*(?::|—|–|-(?= ))\s*/i;
const OPENING = new RegExp(`^(?:${OPENINGS})\\b(?:[\\s,.!:;—–…-]+|$)`, 'i');
const CLOSING =
  /[\s,]*(?:\b(?:please|for me|hey|right|thanks|thank you|anyway|then|yet|ok|okay)\b)?[\s?.!,:;…]*$/i;

const HEDGES = '(?:maybe |perhaps |i think |ideally )*';
const SOFTENERS = '(?:probably |really |now |also |just )*';
const THINKING_ALOUD = [
  'seems like|looks like|thinking aloud,?',
  "i think|i guess|i reckon|i believe|i feel like|i'm wondering:?",
].join('|');
const TROUBLE = 'issue|problem|bug|reason|cause|failure|difference|catch';

interface Rewrite {
  from: RegExp;
  to: string | ((match: string, ...groups: string[]) => string);
}

const WE = '(?:you|we|i)';
const BETTER =
  'proper|right|correct|real|actual|best|better|cleaner|cleanest|simpler|simplest|safer|safest|obvious';

/** Requests, wishes and confessions, reworded as the rule they amount to. The first that fits applies. */
const REWRITES: readonly Rewrite[] = [
  { from: /^i (?:already |just )?(?:told you|said|asked you) (?:to |that )?/i, to: '' },
  {
    from: /^(?:can|could|would|will) (?:you|we) (?:please |also |just |now |maybe |at least |quickly )*(?=\w)/i,
    to: '',
  },
  { from: /^(?:maybe |perhaps )?(?:let's|lets|let us) not /i, to: 'Do not ' },
  { from: /^(?:maybe |perhaps )?(?:let's|lets|let us) (?:instead |just |also )*/i, to: '' },
  { from: /^(?:i'd|i would) (?:also )?(?:like|prefer) (?:it )?to (?:be |have )?(?=\w)/i, to: '' },
  { from: /^(?:i'd|i would) (?:also )?like (?=all |the |every |each |those |these )/i, to: 'Have ' },
  { from: /^(?:i'd|i would|i) (?:also |actually |really )*prefer /i, to: 'Prefer ' },
  { from: /^(?:i|we) (?:also |really |just )*want (?:you |us )?to (?=\w)/i, to: '' },
  { from: /^(?:i|we) (?:also |really )*(?:don't|do not) want (?:you |us )?to (?=\w)/i, to: 'Do not ' },
  {
    from: /^(?:i|we) (?:want|need) ((?:the|all|every|our|each|any) .{3,60}?) to be (?=\w)/i,
    to: (_match, subject) => `${subject} must be `,
  },
  { from: /^be (\w+ing)\b/i, to: (_match, gerund) => baseOfGerund(gerund.toLowerCase()) },
  { from: /^i(?:'d| would)? rather (?:would )?(?:like to )?(?=\w)/i, to: '' },
  { from: /^i (?:don't|do not) think (?:we|you) (?:should|need to|have to) (?=\w)/i, to: 'Do not ' },
  {
    from: /^why (?:aren't (?:we|you)|(?:are (?:we|you)|(?:we|you) are) not) (?:just |simply )?(\w+ing)\b/i,
    to: (_match, gerund) => baseOfGerund(gerund.toLowerCase()),
  },
  { from: /^(?:why (?:don't|not|do we not) ?(?:we |you )?)(?:just )?(?=\w)/i, to: '' },
  {
    from: new RegExp(
      `^the (?:${BETTER}|only)? ?(?:fix|solution|approach|way|option|workaround)(?: here)? (?:is|would be|should be) to (?=\\w)`,
      'i',
    ),
    to: '',
  },
  { from: new RegExp(`^it(?:'s| is|'d be| would be) (?:${BETTER}) to (?=\\w)`, 'i'), to: '' },
  { from: /^(?:it )?(?:makes?|would make) (?:more )?sense to (?=\w)/i, to: '' },
  { from: /^we can (?:also |just |simply )*(?=\w.* (?:instead of|rather than) )/i, to: '' },
  { from: /^(?:please )?(?:don't|do not|dont) forget to (?=\w)/i, to: '' },
  {
    from: new RegExp(`^${HEDGES}(?:you|we|i) (?:should|must|need|have|ought)(?: to)? ${SOFTENERS}not `, 'i'),
    to: 'Do not ',
  },
  {
    from: new RegExp(`^${HEDGES}${WE} shouldn't have (\\w+)`, 'i'),
    to: (_match, participle) => `Do not ${baseOfParticiple(participle.toLowerCase())}`,
  },
  {
    from: new RegExp(`^${HEDGES}${WE} should(?: have| 've|'ve) ${SOFTENERS}(\\w+)`, 'i'),
    to: (_match, participle) => baseOfParticiple(participle.toLowerCase()),
  },
  {
    from: new RegExp(`^${HEDGES}(?:you|we|i) (?:should|must|need to|have to|ought to) ${SOFTENERS}`, 'i'),
    to: '',
  },
  { from: /^(?:should|must|need to|have to) not /i, to: 'Do not ' },
  { from: /^(?:you|we) (?=(?:always|never) )/i, to: '' },
  { from: /^my (?:\w+ )?(?:issue|problem|concern|worry) (?:with (?:\S+ ){1,6}?)?is that /i, to: '' },
  { from: new RegExp(`^(?:it )?(?:${THINKING_ALOUD}) `, 'i'), to: '' },
  {
    from: new RegExp(
      `^(?:the )?(?:real |actual |main |key )?(?:${TROUBLE})(?: here)?(?: is| was|:)(?: that| because)? (?=\\S)`,
      'i',
    ),
    to: '',
  },
  { from: /^(?:this|that|it) (?:is|was) because /i, to: '' },
  // "This ensures that …": what is ensured holds without knowing what ensures it.
  {
    from: /^(?:this|that|it|the (?:fix|change)) (?:also |now )?(?:ensures|guarantees|makes sure|means)(?: that)? (?=\S)/i,
    to: '',
  },
  { from: /^here's the (?:issue|problem|bug|thing):? ?/i, to: '' },
];

/** Makes a sentence stand alone: without ties to the conversation, and as a rule where it asks, wishes or confesses. */
export function asRule(sentence: string): string {
  let rule = sentence.replace(/[“”]/g, '"').replace(/[‘’]/g, "'").trim();
  let rewritten = false;
  for (let round = 0; round < 6; round++) {
    const opened = rule.replace(LABEL, '').replace(OPENING, '');
    const kept = opened.length > 8 ? opened : rule;
    const rewrite = REWRITES.find(({ from }) => from.test(kept));
    // A replacement may be a text or a function, and replace() has a signature for each.
    const next = rewrite ? kept.replace(rewrite.from, rewrite.to as string) : kept;
    if (next === rule || next.length < 6) break;
    rewritten ||= rewrite !== undefined;
    rule = next;
  }
  const asks = !rewritten && sentence.trimEnd().endsWith('?');
  rule = rule
    .replace(
      /, (?:(?:i|we|you) (?:should|need to|must|have to)|(?:don't|do not|dont) forget to|make sure to) (?:now |just |also )?(?=\w)/i,
      ', ',
    )
    .replace(CLOSING, '');
  return rule === '' ? '' : `${rule.charAt(0).toUpperCase()}${rule.slice(1)}${asks ? '?' : ''}`;
}
