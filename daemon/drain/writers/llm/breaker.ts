import type { RunOutcome } from '#contract/writers.ts';
import { flag, integer, type KnobValues, number } from '../../../ports/knob.ts';
import type { PortCard } from '../../../ports/port.ts';
import type { BreakerState } from '../../../store/capture/writer-usage.ts';
import { type Reading, readReply, type Verdict } from './reply.ts';

/**
 * Stops asking a model that answers nonsense (M2). An answer in which the agent says that it cannot go on trips at
 * once; other useless answers, and no answer at all, trip when several come in a row. The moment that tripped it is set
 * aside from the model for good: the heuristic writer settles it. So are those that come while the model rests. After
 * that it is asked again, with nothing held against it.
 */
export const breaker = {
  id: 'llm.breaker',
  seeds: ['M2'],
  doc: 'Pauses a model whose answers are unusable; notes are written without it until then.',
  switch: flag('REFLECT_WRITER_BREAKER', true, 'Pause a model whose answers are unusable'),
  knobs: {
    threshold: integer('REFLECT_WRITER_BREAKER_THRESHOLD', {
      default: 3,
      min: 1,
      max: 100,
      doc: 'Unusable answers in a row before the pause',
      aliases: ['REFLECT_DRAIN_INVALID_THRESHOLD'],
    }),
    restSeconds: number('REFLECT_WRITER_REST_SECONDS', {
      default: 900,
      min: 0,
      max: 86_400,
      doc: 'Length of the pause, in seconds',
    }),
  },
} satisfies PortCard;

export type Classified<T = Verdict> =
  | { is: 'valid'; value: T }
  | { is: Exclude<RunOutcome, 'valid' | 'failed' | 'rejected'>; problems: string[] };

/** Phrases of agents instead of an answer when every further answer would be the same. */
const CANNOT_GO_ON = [
  'prompt is too long',
  'context (?:window|length)[^.]{0,40}exceed',
  'maximum context length',
  'invalid api key',
  'please run /login',
  'credit balance is too low',
  'oauth token has expired',
  'authentication_error',
];
/** Phrases of agents that wait for instructions. */
const WAITING = [
  'ok(?:ay)?',
  'ready',
  'done',
  'understood',
  'acknowledged',
  'got it',
  'sure',
  'waiting',
  'standing by',
  'how can i help',
  'no (?:output|response|new \\w+)',
  'nothing to (?:do|add|note|report)',
];
const POISON = new RegExp(CANNOT_GO_ON.join('|'), 'i');
const IDLE = new RegExp(`^\\W*(?:${WAITING.join('|')})\\b.{0,80}$`, 'is');

/** One of five. What can be read as a note is one, whatever its words: a note about a poisoned run is not poisoned. */
export const classify = (text: string): Classified => classifyAs(text, readReply);

export function classifyAs<T>(text: string, read: (text: string) => Reading<T>): Classified<T> {
  const reading = read(text);
  if ('value' in reading) return { is: 'valid', value: reading.value };
  const { problems, looksLikeJson } = reading;
  if (POISON.test(text)) return { is: 'poisoned', problems: ['the agent says that it cannot go on'] };
  if (looksLikeJson) return { is: 'malformed', problems };
  return { is: text.trim() === '' || IDLE.test(text.trim()) ? 'idle' : 'prose', problems };
}

type Knobs = KnobValues<typeof breaker.knobs>;

/** The effect of one outcome on the streak. A refusal for lack of quota says nothing about the answers. */
export function afterOutcome(
  state: BreakerState,
  outcome: RunOutcome,
  { threshold, restSeconds }: Knobs,
  now: number,
): BreakerState {
  if (outcome === 'valid') return { streak: 0, restsUntil: 0, reason: '' };
  if (outcome === 'rejected') return state;
  const streak = state.streak + 1;
  if (outcome !== 'poisoned' && streak < threshold) return { ...state, streak };
  const reason =
    outcome === 'poisoned'
      ? 'its last answer was that it cannot go on'
      : `its last ${streak === 1 ? 'answer' : `${streak} answers`} could not be used`;
  return { streak: 0, restsUntil: now + restSeconds * 1_000, reason };
}

/** A rest further away than a rest can last was set by a clock that has since been put back; it is over. */
export function isResting({ restsUntil }: BreakerState, { restSeconds }: Knobs, now: number): boolean {
  return now < restsUntil && restsUntil - now <= restSeconds * 1_000;
}
