import type { Cue } from './cue.ts';
import type { HumanMoment } from './human-moments.ts';
import { OTHER_LANGUAGES } from './other-languages.ts';
import { anyOf, isTemplate } from './wording.ts';

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
const SHORT = 12; // words
const saysDone = anyOf(
  /\b(?:done|completed?|finished|implemented|fixed|pass(?:es|ed)?|ready|successfully)\b/,
  /\b(?:i've \w+|committed|pushed|added|updated)\b/,
);
const offers = anyOf(
  /\b(?:would you (?:like|prefer)|want me to|do you want|should (?:i|we))\b[^?]*\?[^?]*$/,
  /\b(?:which (?:approach|would|of these|one)|what do you think|what (?:behaviou?r|would))\b[^?]*\?[^?]*$/,
);
const claimsDone = ({ before }: HumanMoment) =>
  saysDone(before.slice(0, 200)) || saysDone(before.slice(-200));
const offered = ({ before }: HumanMoment) => offers(before.slice(-300));
const worked = (moment: HumanMoment) => claimsDone(moment) || moment.edited;
const asks = ({ text }: HumanMoment) => isQuestion(text);
const challenges = ({ text }: HumanMoment) =>
  isQuestion(text) && !wantsExplanation(text) && !OPEN_QUESTION.test(text);

const REQUEST_OPENERS = '(?:(?:and|now|also|ok|okay|yes|yeah|please|then|so),? )*';
const WORK = [
  'add|apply|build|check|commit|continue|create|do|explain|find|fix|generate|give|implement|investigate|link|look|make',
  'merge|open|push|rebase|remove|rename|review|run|show|try|update|use|write',
].join('|');
/** Asks for the next piece of work, in the form people use for it. */
const REQUEST = [
  new RegExp(`^${REQUEST_OPENERS}(?:can|could|would|will) you\\b`),
  new RegExp(`^${REQUEST_OPENERS}(?:${WORK})\\b`),
];
const OPTIONS = anyOf(
  /\b(?:option|approach) (?:1|a)\b.*\b(?:option|approach) (?:2|b)\b/,
  /(?:^| )\(?(?:1[.)] .* \(?2|a[.)] .* \(?b)[.)] /,
);
const picksOption = anyOf(
  /\b(?:options?|approach|do|go (?:with|for)|choose|pick|like) (?:option )?#?(?:\d|[a-d])\b/,
  /^\(?#?(?:\d|[a-d])[.)]?$/,
);
const reportsFailure = anyOf(/\b(?:error|fail(?:s|ed|ing|ures?)?|exception|panic|traceback)\b/);

const PRAISE = '(?:good|great|excellent|fair|nice|important|valid)';
const POINT = '(?:catch|points?|call|idea|instinct|clarification|challenge|concern|eye|observation)';
/** How an agent begins its reply; emoji and quotes may stand before it. */
const opens = (...openings: string[]) => new RegExp(`^[^\\p{L}\\p{N}]*(?:${openings.join('|')})`, 'u');

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
    prior: 1.5,
    holds: ({ prompt }) => prompt.via === 'answer',
  },
  { id: 'opens-session', why: 'opens the session', prior: -0.8, holds: ({ opensSession }) => opensSession },
  {
    id: 'after-interruption',
    why: 'follows an interruption',
    prior: 0.8,
    holds: ({ interrupted }) => interrupted,
  },
  { id: 'length', why: 'is long', prior: 0, holds: ({ words }) => Math.min(1, Math.log(1 + words) / 5) },
  { id: 'short', why: 'is short', prior: -0.3, holds: ({ words }) => words < 10 },
  {
    id: 'too-long-to-type',
    why: 'is longer than people type',
    prior: -0.5,
    holds: ({ text }) => text.length > 1_500,
  },
  says('bare-agreement', 'only agrees or says go on', -3, BARE, OTHER_LANGUAGES.agreement),
  { id: 'template', why: 'is a template', prior: -4, holds: ({ text }) => isTemplate(text) },
  { id: 'excerpt', why: 'stands in a longer text', prior: -0.5, holds: ({ excerpt }) => excerpt },
  {
    id: 'delegated',
    why: 'was said to a subagent',
    prior: -0.5,
    holds: ({ prompt }) => prompt.subagent,
  },
  says(
    'greeting',
    'is a greeting',
    -4,
    /^(?:hi|hello|hey|good (?:morning|evening|afternoon)|howdy)\b.{0,30}$/,
  ),
  says('request', 'asks for the next piece of work', -0.5, ...REQUEST),
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
    0.5,
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
  says('team', 'speaks for the team', 0.2, /\b(?:we|our|us)\b/),
  says(
    'wish',
    'says what the person wants',
    0.4,
    /\b(?:i'd like|i want|i would like|i prefer|i don't|don't want)\b/,
  ),
  says(
    'decision',
    'decides',
    0.5,
    /\blet's (?:do|go|use|keep|only|add|make|change|apply|drop|have)\b/,
    /\b(?:go (?:for|with)|i'd (?:like|prefer)|is fine|will suffice|for now|we'd|we can just|we should)\b/,
  ),
  {
    id: 'choice',
    why: 'chooses from what was offered',
    prior: 0.5,
    holds: (moment) => offered(moment) && !BARE.test(moment.text) && !asks(moment),
  },
  {
    id: 'option-picked',
    why: 'picks one of the options',
    prior: 1,
    holds: ({ text, words, before }) => words <= SHORT && picksOption(text) && OPTIONS(before),
  },
  says(
    'extension',
    'extends it to other places',
    0.4,
    /^(?:and|also|how about|what about)\b.*\?/,
    /\b(?:too|as well|everywhere|each|both|the same|all (?:the )?places)\b/,
  ),
  says(
    'reason',
    'gives a reason',
    0.3,
    /\b(?:because|since|so that|given|otherwise|as (?:the|we|it)|the reason|which (?:is|means))\b/,
    /\b(?:too (?:much|many|long)|hard to)\b/,
  ),
  says(
    'yes',
    'begins with yes',
    -0.3,
    /^(?:yes|yeah|yup|yep|ok|okay|sure|right|great|thanks|thank you|ha)\b/,
  ),
  {
    id: 'failure-after-done',
    why: 'shows a failure after a claim to be done',
    prior: 0.4,
    holds: (moment) => worked(moment) && reportsFailure(moment.text),
  },
  {
    id: 'code',
    why: 'names code',
    prior: 0.1,
    holds: ({ typed }) => /`[^`]+`|\b\w+\.(?:[a-z]{1,4})\b|\b\w+\(\)|[a-z][A-Z]/.test(typed),
  },
  { id: 'after-talk', why: 'follows talk alone', prior: -0.2, holds: ({ acted }) => !acted },
  { id: 'after-commit', why: 'follows a commit', prior: -0.2, holds: ({ committed }) => committed },
  replied('agent-yielded', 'the agent gave in', 2.5, opens("you(?:'re| are) (?:\\w+ )?(?:right|correct)")),
  replied(
    'agent-praised',
    'the agent called it a good point',
    2,
    opens(`(?:that's an? )?(?:really )?${PRAISE} ${POINT}`),
  ),
  replied(
    'agent-understood',
    'the agent understood',
    1.2,
    opens(
      'i apologi[sz]e|sorry|my mistake|my bad|oops',
      'ah\\b|got it|understood|agreed|fair\\b',
      'right[.,:—– -]',
      '(?:that )?makes sense',
    ),
    OTHER_LANGUAGES.acknowledgement,
  ),
  replied('agent-answered', 'the agent just answered', -0.3, /^(?:yes[,. !]|no[,. ]|from |it'?s |the )/),
  {
    id: 'agent-explained',
    why: 'the agent explained at length',
    prior: -0.2,
    holds: ({ after }) => after.length > 400,
  },
];
