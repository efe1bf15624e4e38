import { number } from '../ports/knob.ts';

/** The knob of an arm's floor. */
export const armFloor = (name: string, what: string) =>
  number(name, {
    default: 0,
    min: 0,
    max: 1,
    doc: `Minimum ${what}; 0 for no minimum`,
  });
