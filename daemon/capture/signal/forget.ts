import { flag } from '../../ports/knob.ts';
import { plain } from '../judge/wording.ts';
import { signal } from '../port.ts';

const RULE =
  '(?:rule|preference|instruction|convention|guideline|policy|lesson|learning|correction|memory|advice)s?';
const DROP = "(?<!not |n't |never )(?:forget|ignore|disregard|drop|scrap|discard|retract|take back)";
const SAID = "(?:i|we)(?:'d| had|'ve| have)? (?:said|told you|asked|taught you|mentioned|wrote|corrected)";

const BEFORE = '(?: (?:before|earlier|once|last time|the other day|yesterday))?';
const ON = '(?:about|regarding|on|concerning)';
const ON_OR_THAT = '(?:about|regarding|on|concerning|that|to|for|of)';
const OVER = [
  'no longer (?:applies|holds|stands)|is (?:no longer|not) (?:needed|valid|true)',
  "is (?:obsolete|outdated|over)|(?:does not|doesn't) (?:apply|hold) any ?more",
].join('|');

/** Patterns that name the learning explicitly; a bare "forget it" is about the previous message. */
const RETRACTS: readonly RegExp[] = [
  new RegExp(
    `\\b${DROP} (?:about )?(?:what|everything|all|anything)(?: that)? ` +
      `${SAID}(?: you)?${BEFORE} ${ON}\\b(?<about>.{3,})`,
  ),
  new RegExp(`\\b${DROP} (?:the|my|our|that|this)(?: \\w+){0,3} ${RULE} ${ON_OR_THAT}\\b(?<about>.{3,})`),
  new RegExp(`\\b(?:the|my|our|that)(?: \\w+){0,3} ${RULE} ${ON_OR_THAT}\\b(?<about>.{3,}?)(?:${OVER})`),
  /\b(?:you|we) (?:no longer|don't|do not) (?:need|have) to\b(?<about>.{3,}?)(?:any ?more|any longer)\b/,
  /\b(?:you|we) no longer (?:need|have) to\b(?<about>.{3,})/,
];
const LONGEST = 400; // characters; a longer message is a task in which such words mean something else
const TEACHES = /\b(?:instead|from now on|going forward)\b/;

export const forget = signal({
  id: 'signal.forget',
  seeds: [],
  doc: 'A person retracts what was learned in an earlier session: the learning is archived, or the Inbox asks.',
  switch: flag('REFLECT_SIGNAL_FORGET', true, 'Retract a learning when you say that it no longer holds'),
  knobs: {},
  start: () => ({
    see(event) {
      if (event.kind !== 'prompt' || event.subagent) return [];
      const said = plain(event.text);
      if (said.length > LONGEST) return [];
      const about = RETRACTS.map((pattern) => pattern.exec(said)?.groups?.about).find(
        (found) => found !== undefined,
      );
      return about === undefined
        ? []
        : [{ sees: 'forget', about: about.trim(), quote: event.text.trim(), only: !TEACHES.test(said) }];
    },
  }),
});
