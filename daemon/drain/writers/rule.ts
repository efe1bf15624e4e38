const PRAISE = '(?:good|great|excellent|fair|nice)';
/** Words that only link a sentence to the conversation around it. */
const OPENINGS = Object.values({
  refusal: 'no+|nope|nah|wait',
  hesitation: 'hm+|mm+|erm+|uh+|oh|ah|ha|hey|well',
  agreement: 'ok(?:ay)?|yes|yeah|yup|yep|sure|exactly|true|right|got it|makes sense|fair enough',
  link: 'but|and|so|also|then|now|actually|basically|instead(?=,)|on top of that',
  politeness: 'please|sorry|thanks',
  announcement: 'q|question|short answer|root cause|notable',
  concession: "you're (?:absolutely |completely |totally )?right(?: to \\w+(?: that| it| this)?)?",
  praise: `(?:that's|that is) (?:an? )?(?:really )?${PRAISE} \\w+`,
  barePraise: `${PRAISE} (?:catch|point|question|idea|call|eye|thinking|instinct)s?`,
  discovery: 'found (?:it|the (?:bug|issue|problem|root cause|cause))',
  insight: 'i (?:see|found) the (?:issue|problem|bug)(?: now)?|i see(?: it)?(?: now)?',
}).join('|');
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
  to: string;
}

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
  { from: /^i want (?:you |us )?to (?=\w)/i, to: '' },
  { from: /^(?:why (?:aren't|don't|not|do we not|are we not) ?(?:we |you )?)(?:just )?(?=\w)/i, to: '' },
  {
    from: new RegExp(`^${HEDGES}(?:you|we|i) (?:should|must|need|have|ought)(?: to)? ${SOFTENERS}not `, 'i'),
    to: 'Do not ',
  },
  {
    from: new RegExp(`^${HEDGES}(?:you|we|i) should(?:n't)? have (?=\\w+(?:ed|en)\\b)`, 'i'),
    to: 'Should have ',
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
  { from: /^here's the (?:issue|problem|bug|thing):? ?/i, to: '' },
];

/** Makes a sentence stand alone: without its ties to the conversation, and as a rule where it asks, wishes or confesses. */
export function asRule(sentence: string): string {
  let rule = sentence.replace(/[“”]/g, '"').replace(/[‘’]/g, "'").trim();
  let rewritten = false;
  for (let round = 0; round < 6; round++) {
    const opened = rule.replace(OPENING, '');
    const kept = opened.length > 8 ? opened : rule;
    const rewrite = REWRITES.find(({ from }) => from.test(kept));
    const next = rewrite ? kept.replace(rewrite.from, rewrite.to) : kept;
    if (next === rule || next.length < 6) break;
    rewritten ||= rewrite !== undefined;
    rule = next;
  }
  const asks = !rewritten && sentence.trimEnd().endsWith('?');
  rule = rule.replace(/, (?:i|we) should (?:now |just )?(?=\w)/i, ', ').replace(CLOSING, '');
  return rule === '' ? '' : `${rule.charAt(0).toUpperCase()}${rule.slice(1)}${asks ? '?' : ''}`;
}
