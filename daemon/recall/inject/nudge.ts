import { flag, integer, number, type Resolve } from '../../ports/knob.ts';
import { projectPort } from '../../ports/port.ts';
import { isAllRedacted } from '../../privacy/redact.ts';
import { nudgesOf, unrecordedMoment } from '../../store/capture/sessions.ts';
import type { ReadableDb } from '../../store/db.ts';
import { beginning } from '../../text/one-line.ts';
import { plainLine } from '../../text/plain-line.ts';

export const nudge = projectPort({
  id: 'inject.nudge',
  seeds: [],
  doc: 'Asks the agent, with the next prompt, to record a correction, a decision or a confirmed cause that it has not recorded itself.',
  switch: flag('REFLECT_NUDGE', true, 'Ask agents to record what they were just taught'),
  knobs: {
    perSession: integer('REFLECT_NUDGE_PER_SESSION', {
      default: 3,
      min: 1,
      max: 100,
      doc: 'Maximum number of requests in a session',
    }),
    gapSeconds: number('REFLECT_NUDGE_GAP_SECONDS', {
      default: 120,
      min: 0,
      max: 86_400,
      doc: 'Minimum seconds between two requests in a session',
    }),
    minScore: number('REFLECT_NUDGE_MIN_SCORE', {
      default: 0.5,
      min: 0,
      max: 1,
      doc: 'How likely a moment must be a lesson for its agent to be asked about it',
    }),
  },
});

/** Types of moments worth a request: a person's words, and causes that were confirmed. */
const ASKED_ABOUT = ['correction', 'preference', 'decision', 'policy', 'bug-fix'];
const LONGEST_QUOTE = 160; // characters

export interface Nudge {
  /** The moment it names. */
  moment: number;
  line: string;
}

/** The request to record a moment of this session; null when there is none to name, or it was asked enough. */
export function nudgeFor(db: ReadableDb, resolve: Resolve, session: string, now: number): Nudge | null {
  if (session === '' || !resolve(nudge.switch)) return null;
  const { count, lastAt } = nudgesOf(db, session);
  const tooSoon = count > 0 && now - lastAt < resolve(nudge.knobs.gapSeconds) * 1_000;
  if (tooSoon || count >= resolve(nudge.knobs.perSession)) return null;
  const moment = unrecordedMoment(db, {
    session,
    types: ASKED_ABOUT,
    minScore: resolve(nudge.knobs.minScore),
  });
  if (!moment || isAllRedacted(moment.quote)) return null;
  return { moment: moment.id, line: lineFor(moment.quote) };
}

const lineFor = (quote: string) =>
  `Earlier in this session: “${beginning(plainLine(quote), LONGEST_QUOTE)}”. If it holds beyond this task, record it with \`learn\` (MCP) or \`reflect learn\` before you go on; otherwise ignore this line.`;
