import type { Cue } from './cue.ts';
import type { HumanMoment } from './human-moments.ts';
import { OTHER_LANGUAGES } from './other-languages.ts';
import { anyOf } from './wording.ts';

type HumanCue = Cue<HumanMoment>;

const says = (id: string, why: string, prior: number, ...patterns: RegExp[]): HumanCue => ({
  id,
  why,
  prior,
  holds: ({ text }) => patterns.some((pattern) => pattern.test(text)),
});
const replied = (id: string, why: string, prior: number, ...patterns: RegExp[]): HumanCue => ({
  id,
  why,
  prior,
  holds: ({ after }) => patterns.some((pattern) => pattern.test(after)),
});

const isQuestion = anyOf(
  /[?？]/,
  /^(?:what|where|how|which|who|why|can you explain)\b/,
  /^(?:does|do|is|are|has|have|did|should|could|would|isn't|aren't)\b/,
);
const WANTS_EXPLANATION = [
  /\b(?:explain|clarify|describe|tell me|difference between|differ from|do you have a link)\b/,
  /\b(?:what (?:does|is|are|kind)|how (?:does|is|do (?:i|we)|can i))\b/,
];
const wantsExplanation = anyOf(...WANTS_EXPLANATION);
const OPEN_QUESTION =
  /(?:^|[.,] )(?:and |so |now |ok,? |question,? )?(?:what|where|how|which|who|when)\b(?! about)/;
const AGREEMENT = [
  'y|yes|yep|yup|yeah|ok|okay|sure|great|perfect|nice|lgtm|sounds good|thanks|thank you|please',
  "go|go ahead|continue|proceed|let'?s go|do it|do both|commit|push|merge",
  'and|it|this|that|for me|now',
].join('|');
const BARE = new RegExp(`^(?:(?:${AGREEMENT})[\\s,.!]*)+$`);
const saysDone = anyOf(
  /\b(?:done|completed?|finished|implemented|fixed|pass(?:es|ed)?|ready|successfully)\b/,
  /\b(?:i've \w+|committed|pushed|added|updated)\b/,
);
const offers = anyOf(
  /\b(?:would you (?:like|prefer)|want me to|do you want|should (?:i|we))\b[^?]*\?[^?]*$/,
  /\b(?:which (?:approach|would|of these|one)|what do you think|what (?:behaviou?r|would))\b[^?]*\?[^?]*$/,
);
/** Templates, plans and test prompts speak in a person's name, but no person chose the words. */
const TEMPLATES = [
  /^(?:<|\{|\[\[ ## |# )/,
  /^(?:you are an? |implement the following plan|review (?:this|the) (?:pr|pull request))/,
  /^(?:(?:reply|respond) with|return only)/,
];

const claimsDone = ({ before }: HumanMoment) =>
  saysDone(before.slice(0, 200)) || saysDone(before.slice(-200));
const offered = ({ before }: HumanMoment) => offers(before.slice(-300));
const worked = (moment: HumanMoment) => claimsDone(moment) || moment.edited;
const asks = ({ text }: HumanMoment) => isQuestion(text);
const challenges = ({ text }: HumanMoment) =>
  isQuestion(text) && !wantsExplanation(text) && !OPEN_QUESTION.test(text);

const PRAISE = '(?:good|great|excellent|fair|nice|important)';
/** How an agent begins its reply when the person had a point. */
const AGENT_AGREES = [
  "you(?:'re| are) (?:absolutely |completely |totally |right to )?(?:right|question|ask)",
  `(?:that's an? )?(?:really )?${PRAISE} (?:catch|points?|call|idea|instinct|clarification|challenge|concern|eye)`,
  'i apologi[sz]e|sorry|my mistake|my bad',
  'right[.,:—– -]|ah,? (?:right|yes|i see)|got it|understood|(?:ha,? )?fair\\b',
  "makes sense|that makes sense|that's (?:a )?(?:much better|right)",
].map((opening) => new RegExp(`^[^\\p{L}\\p{N}]*(?:${opening})`, 'u'));

/** Cues that a person's message is a lesson: how it came, what it answers, how it is put, and how the agent reacts. */
export const HUMAN_CUES: readonly HumanCue[] = [
  {
    id: 'rejection',
    why: 'turns a tool call or a plan down',
    prior: 2.2,
    holds: ({ prompt }) => prompt.via === 'rejection',
  },
  {
    id: 'answer',
    why: 'answers a question the agent asked',
    prior: 2.8,
    holds: ({ prompt }) => prompt.via === 'answer',
  },
  {
    id: 'queued',
    why: 'was sent while the agent worked',
    prior: 0,
    holds: ({ prompt }) => prompt.via === 'queued',
  },
  { id: 'opens-session', why: 'opens the session', prior: -0.8, holds: ({ opensSession }) => opensSession },
  {
    id: 'after-interruption',
    why: 'follows an interruption',
    prior: 0.8,
    holds: ({ interrupted }) => interrupted,
  },
  { id: 'length', why: 'is long', prior: 0, holds: ({ words }) => Math.min(1, Math.log(1 + words) / 5) },
  { id: 'very-short', why: 'is very short', prior: 0, holds: ({ words }) => words <= 4 },
  {
    id: 'too-long-to-type',
    why: 'is longer than people type',
    prior: -0.5,
    holds: ({ text }) => text.length > 1_500,
  },
  says('bare-agreement', 'only agrees or says go on', -3, BARE),
  says('template', 'is a template', -4, ...TEMPLATES),
  says(
    'greeting',
    'is a greeting',
    -4,
    /^(?:hi|hello|hey|good (?:morning|evening|afternoon)|howdy)\b.{0,30}$/,
  ),
  { id: 'question', why: 'asks something', prior: 0, holds: asks },
  says('open-question', 'asks how things are', -0.5, OPEN_QUESTION),
  says('explanation-wanted', 'asks for an explanation', -1, ...WANTS_EXPLANATION),
  says('why', 'asks why', 0.6, /\bwhy\b/),
  {
    id: 'challenge',
    why: 'questions what was just done',
    prior: 0.8,
    holds: (moment) => challenges(moment) && worked(moment) && moment.words <= 30,
  },
  says(
    'doubt',
    'doubts it',
    0.5,
    /\b(?:doubt|not sure|are (?:we|you) sure|really|do we know|any reason|do we (?:even )?need|right\?)/,
    /\b(?:isn't (?:it|there|that)|wouldn't|shouldn't|aren't)/,
  ),
  says(
    'objection',
    'begins by objecting',
    0,
    /^(?:but|and|so|no|nope|nah|not|wait|oh wait|actually|still|hmm+|mmm+|erm+|ah|ehh)\b/,
  ),
  says(
    'refusal',
    'refuses',
    1,
    /^(?:no\b|nope|nah|wrong|stop|wait|oh wait|don't|do not|never|not )/,
    /\b(?:no wait|let's not|i don't think|i doubt)\b/,
    OTHER_LANGUAGES.refusal,
  ),
  says(
    'prohibition',
    'forbids something',
    0.6,
    /\b(?:don't|do not|never|must not|shouldn't|should not|avoid|stop|no longer|not want|won't)\b/,
    /\b(?:without|get rid of|drop|remove)\b/,
    OTHER_LANGUAGES.prohibition,
  ),
  says(
    'alternative',
    'points to another way',
    0.6,
    /\b(?:instead|rather|better|prefer|i'd like|i would like|i want|should be|should have)\b/,
    /\b(?:only|just|same way|but (?:leave|keep)|supposed to|meant|expected)\b/,
    OTHER_LANGUAGES.alternative,
  ),
  says(
    'obligation',
    'states what should be',
    0.5,
    /\b(?:should|must|need to|needs to|have to|make sure|ensure|be sure|always|remember|ideally|from now on)\b/,
    OTHER_LANGUAGES.obligation,
  ),
  says(
    'team-practice',
    'says what "we" do',
    0.5,
    /\bwe (?:should|need|must|can just|want|don't|do not|always|never|use|probably)\b/,
  ),
  says('team', 'speaks for the team', 0, /\b(?:we|our|us)\b/),
  says(
    'wish',
    'says what the person wants',
    0.4,
    /\b(?:i'd like|i want|i would like|i prefer|i don't|don't want)\b/,
  ),
  says(
    'thinking-aloud',
    'thinks aloud',
    0,
    /\b(?:i (?:think|feel|guess|reckon|wonder|believe|suppose)|thinking)\b/,
    /\b(?:seems like|perhaps|maybe|probably)\b/,
  ),
  says(
    'repetition',
    'was said before',
    0.4,
    /\b(?:again|already|still|back to|how many times)\b/,
    /\b(?:as i said|i told|i said|i (?:also )?meant)\b/,
  ),
  says(
    'decision',
    'decides',
    0.6,
    /\blet's (?:do|go|use|keep|only|add|make|change|apply|drop|have)\b/,
    /\b(?:go (?:for|with)|i'd (?:like|prefer)|is fine|will suffice|for now|we'd|we can just|we should)\b/,
  ),
  {
    id: 'choice',
    why: 'chooses from what was offered',
    prior: 0.5,
    holds: (moment) => offered(moment) && !BARE.test(moment.text) && !asks(moment),
  },
  says(
    'extension',
    'extends it to other places',
    0.4,
    /^(?:and|also|how about|what about)\b.*\?/,
    /\b(?:too|as well|everywhere|each|both|the same|all (?:the )?places)\b/,
  ),
  says('test-wanted', 'asks for a test', 0.6, /\b(?:add|write|have|any|need|a|with) (?:\w+ )?tests?\b/),
  says('checks', 'speaks of checks', 0, /\b(?:tests?|lint|ci|coverage|verify|validate|check)\b/),
  says(
    'reason',
    'gives a reason',
    0.3,
    /\b(?:because|since|so that|given|otherwise|as (?:the|we|it)|the reason|which (?:is|means))\b/,
    /\b(?:too (?:much|many|long)|hard to)\b/,
  ),
  says(
    'placement',
    'says where things belong',
    0.2,
    /\b(?:move|put|rename|place|live|belongs?|into|under|folder|naming|called)\b/,
  ),
  says(
    'work-size',
    'says how to cut the work',
    0.5,
    /\b(?:two|one|single|individual|separate|smaller|split|break up) (?:\w+ )?(?:commits?|prs?|tests?|files?|functions?)\b/,
    /\b(?:individual|break up|separately)\b/,
  ),
  says('commits', 'speaks of commits', 0, /\b(?:commit|push|merge|rebase|branch|pr)\b/),
  says('tickets', 'speaks of tickets', 0, /\b(?:issue|ticket|linear|jira)\b/),
  says('lets', "begins with let's", 0, /\b(?:let's|lets|let us)\b/),
  says('politeness', 'asks politely', 0, /\b(?:can|could|would|will) (?:you|we|i)\b|\bplease\b/),
  says(
    'yes',
    'begins with yes',
    -0.3,
    /^(?:yes|yeah|yup|yep|ok|okay|sure|right|great|thanks|thank you|ha)\b/,
  ),
  says(
    'fault',
    'reports a fault',
    0,
    /\b(?:fail(?:s|ed|ing)?|broken|bug|wrong|missing|conflict|error|not working)\b/,
    /\b(?:seem to be|looks like|cannot see|can't see)\b/,
  ),
  {
    id: 'code',
    why: 'names code',
    prior: 0,
    holds: ({ typed }) => /`[^`]+`|\b\w+\.(?:[a-z]{1,4})\b|\b\w+\(\)|[a-z][A-Z]/.test(typed),
  },
  {
    id: 'pasted',
    why: 'holds pasted text',
    prior: -0.3,
    holds: ({ typed }) => /```|^\s*[-+] |\bat .*:\d+|https?:\/\/|error:/m.test(typed),
  },
  { id: 'list', why: 'is a list', prior: 0, holds: ({ typed }) => /^\s*(?:\d[.)]|[-*]) /m.test(typed) },
  { id: 'after-done', why: 'follows a claim to be done', prior: 0, holds: claimsDone },
  { id: 'after-question', why: 'follows a question', prior: 0, holds: ({ before }) => before.endsWith('?') },
  { id: 'after-offer', why: 'follows an offer', prior: 0, holds: offered },
  { id: 'after-edits', why: 'follows edits', prior: 0, holds: ({ edited }) => edited },
  { id: 'after-talk', why: 'follows talk alone', prior: 0, holds: ({ acted }) => !acted },
  replied('agent-agreed', 'the agent agreed', 1.5, ...AGENT_AGREES, OTHER_LANGUAGES.acknowledgement),
  replied(
    'agent-looked',
    'the agent went to look',
    0,
    /^(?:let me (?:check|look|investigate|read|trace|see|verify|test)|i'll (?:check|look|investigate|verify|inspect))/,
  ),
  replied(
    'agent-answered',
    'the agent just answered',
    -0.3,
    /^(?:good question|great question|yes[,. !]|no[,. ]|from |it'?s |the )/,
  ),
  replied('agent-did-it', 'the agent just did it', 0, /^(?:done|added|updated|created|committed|pushed)/),
];
