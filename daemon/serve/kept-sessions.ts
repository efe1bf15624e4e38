import * as z from 'zod';
import { writeFileAtomic } from '../platform/files.ts';
import { readTextIfExists } from '../platform/read-file.ts';

/** A tab of a browser's session, with digests in place of its cookie and secret. */
const KeptSession = z.object({ cookie: z.string(), secret: z.string(), expires: z.number() });
export type KeptSession = z.infer<typeof KeptSession>;

/** The port and the sessions of the daemon before: a tab that is still open finds both again. */
const Kept = z.object({ port: z.number().int().min(1).max(65_535), sessions: z.array(KeptSession) });

export class KeptSessions {
  readonly #file: string;
  readonly #now: () => number;
  #sessions: KeptSession[];
  /** The port to listen on if it is free; 0 for any. */
  readonly formerPort: number;
  #port = 0;

  constructor(file: string, now: () => number) {
    this.#file = file;
    this.#now = now;
    const { port, sessions } = read(file);
    this.formerPort = port;
    this.#sessions = sessions;
  }

  /**
   * To be called once listening. Sessions belong to their port: on another, whoever has the old one could have learnt
   * them.
   */
  listeningOn(port: number): void {
    if (port !== this.formerPort) this.#sessions = [];
    this.#port = port;
    this.#write();
  }

  find(cookie: string): KeptSession[] {
    return this.#sessions.filter((session) => session.cookie === cookie);
  }

  add(session: KeptSession): void {
    this.#sessions = [...this.#sessions.filter(({ expires }) => expires >= this.#now()), session];
    this.#write();
  }

  /** Ends all sessions and returns how many there were. */
  clear(): number {
    const { length } = this.#sessions;
    this.#sessions = [];
    this.#write();
    return length;
  }

  #write(): void {
    const kept: z.infer<typeof Kept> = { port: this.#port, sessions: this.#sessions };
    writeFileAtomic(this.#file, JSON.stringify(kept));
  }
}

function read(file: string): z.infer<typeof Kept> {
  try {
    return Kept.parse(JSON.parse(readTextIfExists(file) ?? ''));
  } catch {
    return { port: 0, sessions: [] }; // missing at first, or spoilt: browsers need a new link, no more
  }
}
