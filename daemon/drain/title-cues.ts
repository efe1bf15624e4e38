import type { Cue } from '../capture/judge/cue.ts';
import { narrates } from '../capture/judge/wording.ts';
import { countWords } from '../text/tokenise.ts';
import { nameEntities } from './writers/mentions.ts';

const says = (id: string, why: string, prior: number, ...patterns: RegExp[]): Cue<string> => ({
  id,
  why,
  prior,
  holds: (text) => patterns.some((pattern) => pattern.test(text)),
});

const POINTS = /\b(?:this|that|it|its|they|them|these|those|here|there|above|below)\b/i;
const POINTS_FIRST =
  /^(?:it|its|this|that|they|these|those|he|she|there|here|same|both|the (?:first|second|last|other|above))\b/i;
/** Verbs that begin a one-off request rather than a rule. */
const TASK_VERBS = [
  'show|commit|push|pull|run|check|look|see|tell|give|continue|try|open|read|fix|revert|merge|explain|update',
  'add|create|make|write|remove|rename|move|generate|propose|have|change|do|go|get|put|apply|review|summari[sz]e',
  'figure|find|confirm|validate|log|note|start|stop|take|work|comment|reply|simplify|modify|switch|break|reduce',
].join('|');
/** How a report of work begins. */
const DONE = [
  'fixed|added|updated|committed|pushed|removed|created|replaced|kept|populated|captured|switched|moved|changed',
  'introduced|filed|documented|focusing|using|showing|diagnosed|implemented|reverted|merged|renamed|consolidated',
].join('|');
const BARE_NOUNS = [
  'issue|problem|bug|fix|cause|change|changes|test|tests|function|method|file|files|code|output|merge|conflicts?',
  'error|failure|failures|comment|comments|logic|approach|solution|diagnostics|edit|number|variable|user|plan',
].join('|');
/** "The test fails…": a reader cannot know which one. */
const BARE_SUBJECT = new RegExp(`^the (?:\\w+ )?(?:${BARE_NOUNS}) (?!\`)`, 'i');
const namesNothing = (text: string) => nameEntities(text).length === 0;
const DECIDED = /\? → \S/;
const asks = (text: string) => /[\p{L}\p{N}`)\]][?？]+(?:\s|$)/u.test(text) && !DECIDED.test(text);
/** "Always creates…", "Isn't in…", "Calls…": a predicate without its subject. */
const NO_SUBJECT =
  /^(?:is|isn't|was|wasn't|are|does|doesn't|has|hasn't|will|needs?|(?:always|never|only|just|also|still) \w+s|calls|uses|used|creates|prints|reads|writes|compares|defaults|returns|which|and|or|but|so|then)\b/i;

/** "The change", "the new function": only the conversation says which. */
const DEFINITE = new RegExp(
  `\\bthe (?:\\w+ )?(?:${BARE_NOUNS}|others?|existing|new|old|current|latest|rest|previous)\\b(?! \`)`,
  'gi',
);
const VERB = new RegExp(
  `\\b(?:${[
    "is|are|was|were|be|been|isn't|aren't|it's|has|have|had|do|does|don't|doesn't|did|can|can't|cannot|could|will|won't",
    'would|must|should|may|might|needs?|uses?|requires?|returns?|gets?|makes?|means?|works?|runs?|calls?|creates?|writes?',
    'reads?|shows?|fails?|expects?|contains?|stores?|checks?|sets?|adds?|keeps?|allows?|handles?|takes?|goes?|prevents?',
    'causes?|points?|lives?|stays?|comes?|belongs?|supports?|ignores?|drops?|matters?|happens?|depends?|knows?',
  ].join('|')})\\b`,
  'i',
);
const RULE_START =
  /^(?:use|prefer|keep|avoid|never|always|only|ensure|make|treat|follow|before|when|if|no)\b/i;
const IMPERATIVE = new RegExp(
  `^(?:${[
    TASK_VERBS,
    'use|keep|prefer|avoid|treat|follow|ensure|store|call|pass|test|return|set|handle|preserve|include|exclude|replace|reuse',
    'split|skip|limit|require|regenerate|rebuild|restart|reset|rebase|squash|deploy|migrate|install|pin|document|declare',
    'wrap|escape|verify|search|fetch|resolve|name|sort|cache|mock|retry|extract|convert|parse|compare|attach|quote|assume',
    'let|place|leave|bump|format|lint|print|report|require|implement|delete|copy|import|export|register|mark|group|build',
  ].join('|')})\\b`,
  'i',
);
const REASONED =
  /\b(?:instead of|rather than|because|since|so that|otherwise|when|whenever|before|after|if|unless|every|all|any|each|only|not|never|always|without)\b/i;
const FACT =
  /^(?:the |our |an? )?(?:[\w-]+ ){0,2}`[^`]+`(?:'s)?(?: [\w-]+){0,2} (?:is|are|isn't|aren't|has|have|does(?:n't)?|do(?:n't)?|can(?:'t|not)?|must|should|will|won't|never|only|always|(?!was\b)[a-z]+s)\b/i;
const PROPER = /(?<=[a-z,`)] )(?!I\b)[A-Z][A-Za-z]+/g;

const LASTING = says(
  'lasting',
  'is said for good',
  1.6,
  /\b(?:always|never|every time|whenever|from now on|in (?:this|our|the) (?:repo(?:sitory)?|project|codebase))\b/i,
  /^(?:do not|don't|never|avoid)\b/i,
  /^(?:use|prefer)\b.*\b(?:not|instead of|rather than|over|use|only|without)\b/i,
);
const ONE_OFF = says(
  'one-off',
  'is about this one time',
  -1.2,
  /\b(?:again|now|today|yet|already|so far|this (?:time|pr|branch|commit|change)|for now)\b/i,
  /\b(?:last|latest|previous|next) (?:one|message|commit|change|step|part)\b/i,
);

/** True when a title says that it holds for good, and neither asks nor speaks of this one time. */
export const isLasting = (title: string): boolean =>
  Boolean(LASTING.holds(title)) && !ONE_OFF.holds(title) && !asks(title);

const ASIDE = /`[^`]*`|\([^)]*\)|"[^"]*"/g;
const SUBORDINATE =
  /^(?:when|if|while|after|before|since|because|once|unless|whenever|where|instead of|even (?:if|though))\b/i;
/** "When you have two sessions", "…, which means": the rest was in what followed. */
function isUnfinished(text: string): boolean {
  const bare = text.replace(ASIDE, 'x');
  return (
    (SUBORDINATE.test(bare) && !/[,:;—–?]| - | then /.test(bare)) ||
    /\b(?:explains?|see|means?|gets?|shows?|is|are|has|have|includes?|needs?|wants?|says?|following)[.:]?$/i.test(
      bare,
    )
  );
}

/** Cues of a sentence that a stranger understands a month later: its form first, its words last. */
export const TITLE_CUES: ReadonlyArray<Cue<string>> = [
  { id: 'question', why: 'asks', prior: -2.5, holds: asks },
  says('cut', 'is cut off', -1.5, /…$/),
  says(
    'fragment',
    'breaks off',
    -1.5,
    /\b(?:in|with|was|were|to|the|an?|of|and|or|at|for|by|is|are|that|because|which|from|either|like)[.,:]?$/i,
    /[,:;(—-]$/,
  ),
  says('decided', 'is a question with its answer', 2, DECIDED),
  {
    id: 'steps',
    why: 'sketches steps',
    prior: -0.8,
    holds: (text) => /(?:→|->|=>)/.test(text) && !DECIDED.test(text),
  },
  {
    id: 'no-subject',
    why: 'does not say what does it',
    prior: -1,
    holds: (text) => NO_SUBJECT.test(text) && !DECIDED.test(text),
  },
  { id: 'narration', why: 'tells what someone is about to do', prior: -2, holds: narrates },
  says(
    'report',
    'reports work that was done',
    -1.5,
    /^(?:done|all (?:tests|checks|good|done|set))\b/i,
    new RegExp(`^(?:\\S+(?::| -) )?(?:${DONE})\\b`, 'i'),
    /\b(?:tests?|checks?) (?:all )?pass(?:es|ed)?\b|\b(?:has|have) been \w+ed\b/i,
  ),
  says('points-first', 'begins by pointing at something unseen', -1.2, POINTS_FIRST),
  {
    id: 'points',
    why: 'points at something unseen',
    prior: -0.8,
    holds: (text) => POINTS.test(text) && namesNothing(text),
  },
  {
    id: 'names',
    why: 'names what it is about',
    prior: 0.8,
    holds: (text) => Math.min(3, nameEntities(text).length) / 3,
  },
  { id: 'names-nothing', why: 'names no code, file or tool', prior: -0.6, holds: namesNothing },
  says('first-person', 'speaks of the speaker', -1, /\b(?:i|i'm|i've|i'll|i'd|me|my)\b/i),
  says('second-person', 'speaks to someone', -0.6, /\b(?:you|your|you're|you've)\b/i),
  says(
    'norm',
    'says what must or must not be',
    1,
    /\b(?:always|never|must(?:n't)?|should(?:n't)?|do not|don't|avoid|only)\b/i,
  ),
  LASTING,
  says(
    'contrast',
    'sets the right way against the wrong one',
    0.6,
    /\b(?:instead of|rather than|not just|not the|but not|and not|unlike)\b|, (?:not|never) /i,
  ),
  says(
    'condition',
    'says when it applies',
    0.6,
    /\b(?:when|if|before|after|unless|until|whenever|while|for (?:each|every|all))\b/i,
  ),
  says(
    'reason',
    'says why',
    0.5,
    /\b(?:because|since|so that|otherwise|due to|which means|causes?|causing)\b/i,
  ),
  says(
    'limit',
    'says what does not work or is required',
    0.5,
    /\b(?:doesn't|does not|cannot|can't|won't|isn't|fails?|requires?|needs?|rejects?|ignores?|no longer)\b/i,
  ),
  ONE_OFF,
  says('task', 'asks for one piece of work', -1, new RegExp(`^(?!do not\\b)(?:${TASK_VERBS})\\b`, 'i')),
  says(
    'rule-verb',
    'begins as a rule does',
    0.6,
    /^(?:use|prefer|keep|avoid|never|always|only|do not|don't|ensure|make sure|treat|follow|before|when|if)\b/i,
  ),
  says(
    'numbered',
    'refers to an item of a list',
    -0.8,
    /\b(?:option|opt|task|phase|step|item|part|point|scenario|comment|finding|pr) ?#?(?:\d+|[a-e])\b/i,
    /#\d+|\bp[0-3]\b/i,
  ),
  says(
    'pinpoint',
    'names a commit or a line that will move',
    -0.5,
    /\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b/,
    /\blines? ~?\d+|:\d+\b/i,
  ),
  says(
    'hedge',
    'only supposes or suggests',
    -0.6,
    /\b(?:could|might|maybe|probably|perhaps|seems?|likely|i think|would|let's)\b/i,
  ),
  says('bare-subject', 'does not say which one it means', -0.8, BARE_SUBJECT),
  says(
    'named-subject',
    'begins with what it is about',
    0.6,
    /^(?:the |our |an? )?(?:\w+ ){0,2}`[^`]+`/i,
    /^[A-Z][\w.-]*[A-Z_.][\w.-]*\b/,
  ),
  says(
    'chat',
    'is chat',
    -1.5,
    /^(?:ok|okay|yes|yeah|no|nah|hmm+|eh+|haha|lol|thanks|sorry|great|perfect|nice|wow|oh|ah)\b/i,
    /(?:\.\.\.|!{2,}|\blol\b|\bhaha|:\)|:D)/i,
  ),
  says('past', 'tells what was', -0.6, /\b(?:was|were|wasn't|weren't|had|didn't|did not|did)\b/i),
  {
    id: 'definite',
    why: 'speaks of things only the conversation names',
    prior: -0.6,
    holds: (text) => Math.min(2, [...text.matchAll(DEFINITE)].length) / 2,
  },
  says(
    'elliptic',
    'leaves out what it compares with',
    -0.6,
    /\b(?:too|as well|either|anyway|elsewhere)[.!]?$/i,
    /\b(?:the same|similar|another|the other|the rest|the others|(?:do|does|did|doing) (?:so|that|this|it))\b/i,
    /^(?:also|similarly|likewise|same|plus|like)\b/i,
  ),
  says('label', 'begins as an item of a summary', -0.4, /^(?:\S+ ){0,4}\S+(?::| [-–—]) /),
  {
    id: 'verbless',
    why: 'has no verb',
    prior: -1,
    holds: (text) => !VERB.test(text) && !RULE_START.test(text) && !IMPERATIVE.test(text),
  },
  says(
    'counts',
    'counts this time’s changes',
    -0.6,
    /\b\d+ (?:\w+ )?(?:tests?|files?|lines?|places?|issues?|errors?|handlers?|commits?|comments?)\b/i,
  ),
  {
    id: 'wonders',
    why: 'wonders',
    prior: -0.8,
    holds: (text) =>
      /^(?:why|how|what|where|which|whether|wondering|curious|not sure|any)\b/i.test(text) &&
      !DECIDED.test(text),
  },
  says(
    'presents',
    'presents something',
    -0.6,
    /^(?:there(?:'s| is| are)|here(?:'s| is| are)|looking at|based on|as (?:you|i|we)|per your|this is|that's)\b/i,
  ),
  {
    id: 'ruled-task',
    why: 'says why, when or instead of what to do it',
    prior: 0.8,
    holds: (text) => IMPERATIVE.test(text) && REASONED.test(text),
  },
  {
    id: 'proper',
    why: 'names products or types',
    prior: 0.3,
    holds: (text) => Math.min(2, [...text.matchAll(PROPER)].length) / 2,
  },
  says(
    'demonstrative',
    'points at something said before',
    -0.6,
    /\b(?:this|these|those|such)\b(?! (?:repo(?:sitory)?|project|codebase|workspace)\b)/i,
    /\b(?:before|after|until|from|than|with|to|of|for|if) that\b/i,
  ),
  says(
    'it-object',
    'does something to an unnamed thing',
    -0.8,
    /^[^;,]*\b(?!is\b|if\b|as\b|so\b|but\b|and\b|when\b|that\b|because\b|since\b)\w+ (?:it|them)(?:[.,;)]|$| (?:in|to|from|with|on|at|as|when|if|by|for|and|via|manually|anyway)\b)/i,
  ),
  says(
    'scenario',
    'plays a case through',
    -0.8,
    /\b(?:session|file|user|branch|commit|agent|test)s? [A-E]\b|\[[A-E](?:, [A-E])*\]|\b[A-E], [A-E]\b/,
  ),
  says(
    'cast',
    'speaks of a person’s own work',
    -0.8,
    /\b[A-Z][a-z]+'s (?:PR|branch|change|fix|commit|comment)|\b(?:your|my|our) (?:branch|PR|change|fix|setup|machine|current)/i,
    /\bPR #?\d+/,
  ),
  says('command-pair', 'is a failed command beside one that worked', -1.5, /` (?:fails?|reports?) \(/),
  says(
    'participle',
    'does not say what it is about',
    -1,
    /^(?:only |now |always |never |also |then )?(?:shown|set to|used|called|stored|captured|created|marked|runs|sets|shows|checks|returns|handles|prevents|allows|adds|stores|saves|uses|loads|applies|verifies|matches|scans|prints|truncates|requires|ensures|makes|keeps|updates|skips|falls|covers|includes|recomputes|catches) /i,
  ),
  {
    id: 'fact',
    why: 'says how something named behaves',
    prior: 0.6,
    holds: (text) => FACT.test(text) && !/\b(?:was|were|now)\b/i.test(text),
  },
  {
    id: 'unfinished',
    why: 'has no main clause, or leads to something that is missing',
    prior: -1.2,
    holds: isUnfinished,
  },
  says(
    'state',
    'says how things stood at that time',
    -0.6,
    /\b(?:still|currently|previously|at the moment|in progress|remains?|for the time being)\b/i,
    /\bv?\d+\.\d+\.\d+/,
  ),
  says('future', 'says what will happen', -0.3, /\b(?:will|won't|'ll)\b/i),
  says('we', 'speaks of "us"', -0.2, /\b(?:we|we're|we've|we'd|us|our)\b/i),
  says(
    'users',
    'says how it behaves for users',
    0,
    /\b(?:users?|people|customers?|developers?|reviewers?|agents?)\b/i,
  ),
  says(
    'raw',
    'is a line of a log, a diff, a path or a command',
    -1,
    /^[\w./-]+$|^[$>]|^[+-](?:\/\/|#)|:\d+:\d+|^\S+\/\S+\s*$/,
  ),
  {
    id: 'short',
    why: 'is very short',
    prior: -1,
    holds: (text) => countWords(text) < 7 && !DECIDED.test(text),
  },
  {
    id: 'length',
    why: 'is as long as a sentence',
    prior: 0.5,
    holds: (text) => Math.min(1, countWords(text) / 24),
  },
  { id: 'long', why: 'is longer than a sentence', prior: -0.6, holds: (text) => countWords(text) > 34 },
];
