import { flag, type Resolve } from '../../ports/knob.ts';
import type { PortCard } from '../../ports/port.ts';
import { latestLoop } from '../../store/capture/effects.ts';
import type { ReadableDb } from '../../store/db.ts';
import { beginning } from '../../text/one-line.ts';

export const loopWarning = {
  id: 'inject.loop-warning',
  seeds: ['SG5'],
  doc: 'Warns an agent that goes in circles, once per loop, with its next prompt or, with tool hooks, its next tool call.',
  switch: flag('REFLECT_LOOP_WARNING', true, 'Tell agents when they go in circles'),
  knobs: {},
} satisfies PortCard;

const FRESH = 600_000; // ms; a loop of an hour ago is over
const LONGEST = 200; // characters

export interface LoopWarning {
  /** The stored loop it names. */
  loop: number;
  line: string;
}

/** The warning about the latest loop of this session; null where there is none, or its agent was warned of it. */
export function loopWarningFor(
  db: ReadableDb,
  resolve: Resolve,
  session: string,
  now: number,
): LoopWarning | null {
  if (session === '' || !resolve(loopWarning.switch)) return null;
  const loop = latestLoop(db, session, now - FRESH);
  return loop && { loop: loop.id, line: lineFor(loop.detail) };
}

const lineFor = (detail: string) =>
  `You are going in circles (${beginning(detail, LONGEST)}). Say what you expected and what happened instead, then try something else.`;
