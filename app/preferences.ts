import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

const Point = z.object({ x: z.number().int(), y: z.number().int() });
const Bounds = Point.extend({ width: z.number().int().positive(), height: z.number().int().positive() });

/** The desktop's own settings, kept between runs; everything else is the daemon's. */
export const Preferences = z.object({
  window: Bounds.extend({ maximized: z.boolean() }).nullable().default(null),
  quickSearch: Point.nullable().default(null),
  /** In Chromium's steps, where each makes everything a fifth larger. */
  zoom: z.number().min(-3).max(5).default(0),
  /** Quit leaves the daemon to the agents. */
  keepRunning: z.boolean().default(false),
  /** Tell when something waits for a person. */
  notify: z.boolean().default(true),
  openAtLogin: z.boolean().default(false),
  /** The address that is checked for updates; none by default. */
  updateFeed: z.string().nullable().default(null),
});
export type Preferences = z.infer<typeof Preferences>;
export type Bounds = z.infer<typeof Bounds>;
export type Point = z.infer<typeof Point>;

export class PreferencesFile {
  readonly #file: string;
  #current: Preferences;

  constructor(file: string) {
    this.#file = file;
    this.#current = read(file);
  }

  get current(): Preferences {
    return this.#current;
  }

  /** A choice that cannot be stored (full disk, locked file) still counts until the app ends. */
  change(patch: Partial<Preferences>): void {
    this.#current = { ...this.#current, ...patch };
    try {
      mkdirSync(path.dirname(this.#file), { recursive: true });
      const draft = `${this.#file}.new`;
      writeFileSync(draft, JSON.stringify(this.#current, null, 2));
      renameSync(draft, this.#file);
    } catch (problem) {
      console.error(problem);
    }
  }
}

function read(file: string): Preferences {
  try {
    return Preferences.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Missing at first, or spoilt: where a window stood is not worth failing for.
    return Preferences.parse({});
  }
}
