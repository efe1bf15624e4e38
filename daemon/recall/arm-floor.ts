import { number } from '../ports/knob.ts';

/** The knob of an arm's floor. */
export const armFloor = (name: string, what: string) =>
  number(name, {
    default: 0,
    min: 0,
    max: 1,
    doc: `Least ${what} a candidate of this arm needs; 0 lets all through`,
  });
