import type { Knob, KnobValue } from './knob.ts';
import type { PortCard } from './port.ts';

/** Settings for one call, by the names of the knobs. */
type Overrides = Record<string, KnobValue>;

/** Switches these ports off for one call. */
export const without = (...ports: ReadonlyArray<Pick<PortCard, 'switch'>>): Overrides =>
  Object.fromEntries(ports.map((port) => [port.switch.name, false]));

/** Sets one knob for one call. */
export const withKnob = <T extends KnobValue>(knob: Knob<T>, value: T): Overrides => ({ [knob.name]: value });
