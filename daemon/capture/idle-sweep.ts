import { flag, integer } from '../ports/knob.ts';
import { type KnobValues } from '../ports/knob.ts';

/** Asks sessions that have gone quiet for what their signals held back. */
export const idleSweep = {
  id: 'capture.idle-sweep',
  seeds: ['SG3'],
  doc: 'Saves unconfirmed moments of a quiet session as guesses.',
  switch: flag('REFLECT_IDLE_SWEEP', true, 'Process sessions that have gone quiet'),
  knobs: {
    idleSeconds: integer('REFLECT_IDLE_SECONDS', {
      default: 600,
      min: 1,
      max: 86_400,
      doc: 'Seconds of silence after which a session is quiet',
      aliases: ['REFLECT_IDLE_THRESHOLD_SEC'],
    }),
    longestSeconds: integer('REFLECT_IDLE_LONGEST_SECONDS', {
      default: 86_400,
      min: 60,
      max: 31_536_000,
      doc: 'Seconds of silence after which a session is skipped',
    }),
    perSweep: integer('REFLECT_IDLE_PER_SWEEP', {
      default: 5,
      min: 1,
      max: 1_000,
      doc: 'Maximum quiet sessions processed at once',
    }),
  },
};

export type SweepKnobs = KnobValues<typeof idleSweep.knobs>;

export interface QuietFile {
  path: string;
  mtimeMs: number;
}

/** Files due for a sweep: quiet long enough but not too long, and not swept since they last changed. */
export function dueForSweep(
  files: Iterable<QuietFile>,
  swept: ReadonlyMap<string, number>,
  now: number,
  knobs: SweepKnobs,
): QuietFile[] {
  return unswept(files, swept, now, knobs)
    .filter(({ mtimeMs }) => now - mtimeMs >= knobs.idleSeconds * 1_000)
    .toSorted((one, other) => other.mtimeMs - one.mtimeMs)
    .slice(0, knobs.perSweep);
}

/** Milliseconds until the next of these files is due, 0 when one is due now, Infinity when none can be. */
export function untilDueForSweep(
  files: Iterable<QuietFile>,
  swept: ReadonlyMap<string, number>,
  now: number,
  knobs: SweepKnobs,
): number {
  const waits = unswept(files, swept, now, knobs).map(
    ({ mtimeMs }) => mtimeMs + knobs.idleSeconds * 1_000 - now,
  );
  return Math.max(
    0,
    waits.reduce((least, wait) => Math.min(least, wait), Infinity),
  );
}

const unswept = (
  files: Iterable<QuietFile>,
  swept: ReadonlyMap<string, number>,
  now: number,
  { longestSeconds }: SweepKnobs,
): QuietFile[] =>
  [...files].filter(
    ({ path, mtimeMs }) => now - mtimeMs <= longestSeconds * 1_000 && swept.get(path) !== Math.floor(mtimeMs),
  );
