import { flag, integer } from '../ports/knob.ts';

/** The hook client reads these from its environment, else from the run file, where the daemon writes their values. */
export const HOOK_KNOBS = {
  startMs: integer('REFLECT_HOOK_START_MS', {
    default: 1_500,
    min: 50,
    max: 60_000,
    doc: 'Maximum milliseconds an agent waits for Reflect at session start',
  }),
  otherMs: integer('REFLECT_HOOK_MS', {
    default: 300,
    min: 50,
    max: 60_000,
    doc: 'Maximum milliseconds an agent waits for Reflect at every other step',
  }),
  wake: flag(
    'REFLECT_HOOK_WAKE',
    true,
    'Let a hook that finds no daemon start one in the background, for the next time',
  ),
};
