import type { Signal } from './port.ts';
import { correction } from './signal/correction.ts';

/** Every signal; each sees every event of a session, in this order. */
export const SIGNALS: readonly Signal[] = [correction];
