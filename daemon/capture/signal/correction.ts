import { flag, number } from '../../ports/knob.ts';
import { type Lesson, type Prompt, type SessionView, signal } from '../port.ts';

interface Cue {
  why: string;
  weight: number;
  holds(text: string, prompt: Prompt, session: SessionView): boolean;
}

const says = (why: string, weight: number, pattern: RegExp): Cue => ({ why, weight, holds: (text) => pattern.test(text) });

/** What makes a human message a correction: how it begins, what it asks, and above all what it answers. */
const CUES: readonly Cue[] = [
  { why: 'turns a tool call down', weight: 3, holds: (_text, { via }) => via === 'rejection' },
  { why: 'follows an interruption', weight: 2, holds: (_text, _prompt, { recent }) => recent.slice(-3).some(({ kind }) => kind === 'interruption') },
  says('begins with a refusal', 2, /^(?:no\b|nope|nah\b|wrong|stop\b|wait\b|hmm|don't|do not|never\b|not )/),
  says('forbids something', 2, /\b(?:don't|do not|never|must not|mustn't|should not|shouldn't|stop (?:doing|using|adding)|avoid)\b/),
  says('points to another way', 2, /\b(?:instead|rather than|should (?:be|have|use)|supposed to|use .{1,60} not|not .{1,60} but)\b/),
  says('was said before', 2, /\b(?:i (?:already )?(?:told|asked|said)|as i said|how many times|not again|again\?)/),
  says('states a rule', 1.5, /\b(?:always|from now on|going forward|make sure|remember (?:to|that)|we (?:use|don't|never|always))\b/),
  says('asks why', 1, /\bwhy (?:did|are|is|do|does|was|were|would|not|you)\b/),
  { why: 'questions a claim to be done', weight: 1.5, holds: (text, _prompt, session) => text.length < 300 && text.includes('?') && claimsDone(session) },
];

const AGREES = /^(?:you(?:'re| are) (?:absolutely |completely |totally )?right|good (?:catch|point|call)|great (?:catch|point)|i apologi[sz]e|sorry|my mistake|my bad|fair point|ah,? (?:right|yes|i see))/;
const DONE = /\b(?:done|complete[d]?|finished|implemented|fixed|all tests pass|ready|successfully|i've (?:added|updated|changed|created|removed|fixed))\b/;
const BARE = /^(?:y|yes|yep|ok|okay|sure|go|go ahead|continue|proceed|thanks|thank you|great|perfect|nice|lgtm|commit|push|commit and push|do it|sounds good)[.! ]*$/;
// Templates, plans and pasted output speak in a person's name, but no person chose the words.
const TEMPLATE = /^(?:implement the following plan|# |<|you are |review (?:this|the) (?:pr|pull request|code|change)|\{)/;
const LONGEST = 2_000; // characters; what is longer is pasted, not said

export const correction = signal({
  id: 'signal.correction',
  seeds: [],
  doc: 'Notices when a person corrects the agent.',
  switch: flag('REFLECT_SIGNAL_CORRECTION', true, 'Capture what people correct'),
  knobs: {
    threshold: number('REFLECT_CORRECTION_THRESHOLD', { default: 2, min: 0.5, max: 10, doc: 'How strong the cues of a correction must be together' }),
  },
  start({ threshold }) {
    let undecided: Lesson | null = null;
    return {
      see(event, session) {
        if (event.kind === 'reply' && undecided) {
          // The agent's own reaction decides what the words left open.
          const { why, score, ...noticed } = undecided;
          undecided = null;
          return AGREES.test(plain(event.text)) ? [{ ...noticed, score: score + 2, why: [...why, 'the agent agreed'] }] : [];
        }
        if (event.kind !== 'prompt' || event.subagent) return [];
        undecided = null;
        const noticed = judge(event, session);
        if (!noticed) return [];
        if (noticed.score >= threshold) return [noticed];
        undecided = noticed;
        return [];
      },
    };
  },
});

function judge(prompt: Prompt, session: SessionView): Lesson | null {
  const text = plain(prompt.text);
  const opensSession = session.prompts === 0 && prompt.via === 'typed';
  if (opensSession || text.length < 8 || text.length > LONGEST || BARE.test(text) || TEMPLATE.test(text)) return null;
  const cues = CUES.filter((cue) => cue.holds(text, prompt, session));
  return { sees: 'lesson', type: 'correction', trigger: prompt, quote: prompt.text.trim(), score: cues.reduce((sum, { weight }) => sum + weight, 0), why: cues.map(({ why }) => why) };
}

function claimsDone({ recent }: SessionView): boolean {
  const reply = recent.findLast(({ kind }) => kind === 'reply');
  return reply?.kind === 'reply' && DONE.test(plain(reply.text));
}

const plain = (text: string) => text.trim().toLowerCase().replace(/[‘’]/g, "'").replace(/[“”]/g, '"');
