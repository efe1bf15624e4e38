import * as z from 'zod';
import { remember, remembered } from '../ui/remember.ts';

const LEVELS = [0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2];
const NAME = 'zoom';

/** The size of everything in a desktop window. A browser has its own. */
export class Zoom {
  #level = $state(remembered(NAME, z.number().min(0.5).max(3), 1));

  get level(): number {
    return this.#level;
  }

  /** Goes to the next larger or smaller size. */
  step(by: 1 | -1): void {
    const nearest = LEVELS.reduce((best, level, index) => {
      return Math.abs(level - this.#level) < Math.abs((LEVELS[best] ?? 1) - this.#level) ? index : best;
    }, 0);
    this.set(LEVELS[Math.min(LEVELS.length - 1, Math.max(0, nearest + by))] ?? 1);
  }

  set(level: number): void {
    this.#level = level;
    remember(NAME, level);
  }
}
