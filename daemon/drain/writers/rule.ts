/** What only links a sentence to the conversation around it. */
const OPENINGS =
  /^(?:no+|nope|nah|wait|hm+|mm+|erm+|uh+|oh|ah|ha|hey|ok(?:ay)?|yes|yeah|yup|yep|sure|well|but|and|so|also|then|now|actually|please|exactly|true|right|sorry|thanks|q|question|basically|instead(?=,)|on top of that|(?:that's|that is) (?:an? )?(?:really )?(?:good|great|fair|excellent) \w+|you're (?:absolutely |completely |totally )?right(?: to \w+(?: that| it| this)?)?|(?:good|great|excellent|fair|nice) (?:catch|point|question|idea|call|eye|thinking|instinct)s?|found (?:it|the (?:bug|issue|problem|root cause|cause))|i (?:see|found) the (?:issue|problem|bug)(?: now)?|i see(?: it)?(?: now)?|got it|makes sense|fair enough|short answer|root cause|notable|one more issue i've seen)\b(?:[\s,.!:;—–…-]+|$)/i;
const CLOSINGS =
  /[\s,]*(?:\b(?:please|for me|hey|right|too much|thanks|thank you|anyway|then|yet|ok|okay)\b)?[\s?.!,:;…]*$/i;

interface Rewrite {
  from: RegExp;
  to: string;
}

/** Requests, wishes and confessions, as the rule they amount to. The first that fits is taken. */
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
    from: /^(?:maybe |perhaps |i think |ideally )*(?:you|we|i) (?:should|must|need|have|ought)(?: to)? (?:probably |really |now |also |just )*not /i,
    to: 'Do not ',
  },
  {
    from: /^(?:maybe |perhaps |i think |ideally )*(?:you|we|i) should(?:n't)? have (?=\w+(?:ed|en)\b)/i,
    to: 'Should have ',
  },
  {
    from: /^(?:maybe |perhaps |i think )*(?:you|we|i) (?:should|must|need to|have to|ought to) (?:probably |really |now |also |just )*/i,
    to: '',
  },
  { from: /^(?:should|must|need to|have to) not /i, to: 'Do not ' },
  { from: /^(?:you|we) (?=(?:always|never) )/i, to: '' },
  { from: /^my main issue with (?:\S+ ){1,6}?is that (?:we need to )?/i, to: '' },
  {
    from: /^(?:it )?(?:seems like|looks like|i think|i guess|i reckon|i believe|i feel like|i'm wondering(?: now)?:?|thinking aloud,?|this thought just came to me -?) /i,
    to: '',
  },
  {
    from: /^(?:the )?(?:real |actual |main |key )?(?:issue|problem|bug|reason|cause|failure|difference|catch)(?: here)?(?: is| was|:)(?: that| because| straightforward:)? (?=\S)/i,
    to: '',
  },
  { from: /^(?:this|that|it) (?:is|was) because /i, to: '' },
  { from: /^here's the (?:issue|problem|bug|thing):? ?/i, to: '' },
];

/** Makes a sentence stand alone: without what ties it to the conversation, and told as a rule where it asks, wishes or confesses. */
export function asRule(sentence: string): string {
  let rule = sentence.replace(/[“”]/g, '"').replace(/[‘’]/g, "'").trim();
  let rewritten = false;
  for (let round = 0; round < 6; round++) {
    const opened = rule.replace(OPENINGS, '');
    const kept = opened.length > 8 ? opened : rule;
    const rewrite = REWRITES.find(({ from }) => from.test(kept));
    const next = rewrite ? kept.replace(rewrite.from, rewrite.to) : kept;
    if (next === rule || next.length < 6) break;
    rewritten ||= rewrite !== undefined;
    rule = next;
  }
  const asks = !rewritten && sentence.trimEnd().endsWith('?');
  rule = rule.replace(/, (?:i|we) should (?:now |just )?(?=\w)/i, ', ').replace(CLOSINGS, '');
  return rule === '' ? '' : `${rule.charAt(0).toUpperCase()}${rule.slice(1)}${asks ? '?' : ''}`;
}
