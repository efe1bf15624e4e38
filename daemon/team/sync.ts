import type { Client } from 'pg';
import type { TeamRole, TeamSpace } from '#contract/team.ts';
import { messageOf } from '#contract/errors.ts';
import { BackgroundTask } from '../platform/background-task.ts';
import type { Foreground } from '../platform/foreground.ts';
import type { Log } from '../platform/log.ts';
import { flushOutboxAside } from '../store/learnings/outbox.ts';
import { asOneUnit, type Store } from '../store/learnings/write.ts';
import {
  dropFromOutbox,
  getSpace,
  markFollowed,
  moveCursor,
  nextInOutbox,
  type SpaceRow,
  teamNotes,
  unfollowed,
} from '../store/team.ts';
import { Turns } from '../platform/turns.ts';
import { applyHead } from './apply.ts';
import { queueAgain } from './publish.ts';
import { connectTo, explained } from './server/connection.ts';
import { findRevisions, type Head, headOf, listen, readHeads, readTail } from './server/log.ts';
import { openSpace, type SpaceInfo } from './server/spaces.ts';
import { sendRevision } from './send.ts';
import type { Embedded } from './vectors.ts';

export interface SyncParts {
  store: Store;
  environment: NodeJS.ProcessEnv;
  passwordCommand: () => string;
  log: Log;
  /** The embedders whose vectors are shared. */
  models: () => readonly Embedded[];
  /** Ids of the projects on this machine. */
  projects: () => readonly string[];
  /** Recalls and hooks, which go before what arrives. */
  foreground: Pick<Foreground, 'pass' | 'isQuiet'>;
  /** Called after every attempt, and when notes came in. */
  onChange: () => void;
  /** How often the server is asked although it announced nothing, in milliseconds. */
  pollMs: number;
}

const BATCH = 48; // notes; reading a larger answer would hold up a recall
const TOGETHER = 8; // notes whose files are written side by side
const LONGEST_RETRY = 60_000; // ms
const SETTLE = 20; // ms; several publications in a row are fetched together

/** Keeps one space in step: sends what was published here and takes in the rest. Local work never waits for it. */
export class SpaceSync {
  readonly space: string;
  readonly #parts: SyncParts;
  readonly #task: BackgroundTask;
  #client: Client | null = null;
  #info: SpaceInfo | null = null;
  #problem: string | null = null;
  #notice: string | null = null;
  #syncedAt: number | null = null;

  constructor(parts: SyncParts, space: string) {
    this.#parts = parts;
    this.space = space;
    this.#task = new BackgroundTask({
      settleMs: SETTLE,
      longestRetryMs: LONGEST_RETRY,
      scatters: true,
      work: (signal) => this.#sync(signal),
      next: () => parts.pollMs,
      onError: (error) => parts.log.info(`team ${space}: ${messageOf(error)}`),
    });
  }

  wake(): void {
    this.#task.wake();
  }

  /** Syncs now; rejects with a sentence when the server is away. */
  run(): Promise<void> {
    return this.#task.run();
  }

  async stop(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => {}); // it ends whatever is being asked, too
    await this.#task.stop();
  }

  get login(): string {
    return this.#info?.login ?? '';
  }

  get role(): TeamRole | null {
    return this.#info?.role ?? null;
  }

  get state(): Pick<TeamSpace, 'state' | 'problem' | 'syncedAt'> {
    const state = this.#problem !== null ? 'offline' : this.#syncedAt === null ? 'connecting' : 'connected';
    return { state, problem: this.#problem ?? this.#notice, syncedAt: this.#syncedAt };
  }

  async #sync(signal: AbortSignal): Promise<void> {
    const { store, onChange } = this.#parts;
    const url = this.#row().url;
    try {
      this.#client ??= await this.#connect(url);
      // Asked each time: a space may be deleted or a role changed while we are connected.
      this.#info = await openSpace(this.#client, this.space);
      await this.#pull(this.#client, signal);
      await this.#push(this.#client, signal);
      this.#problem = null;
      this.#syncedAt = store.now();
    } catch (error) {
      if (signal.aborted) return;
      this.#disconnect();
      const problem = explained(error, url);
      this.#problem = problem.message;
      throw problem;
    } finally {
      onChange();
    }
  }

  #row(): SpaceRow {
    return getSpace(this.#parts.store.db, this.space);
  }

  async #connect(url: string): Promise<Client> {
    const { environment, passwordCommand } = this.#parts;
    const client = await connectTo({ url, environment, passwordCommand: passwordCommand() });
    try {
      this.#info = await openSpace(client, this.space);
      await listen(client, this.#info.id, () => this.wake());
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
    client.on('end', () => {
      if (this.#client !== client) return;
      this.#client = null;
      this.wake();
    });
    return client;
  }

  #disconnect(): void {
    const client = this.#client;
    this.#client = null;
    void client?.end().catch(() => {});
  }

  get #id(): number {
    return this.#info?.id ?? 0;
  }

  async #pull(client: Client, signal: AbortSignal): Promise<void> {
    const { store, projects } = this.#parts;
    const { cursor, cursorRev, everything } = this.#row();
    const tail = await readTail(client, this.#id, cursor);
    if (cursor > 0 && (tail.last < cursor || tail.revAtPosition !== cursorRev)) {
      await this.#startOver(client, tail.last, cursor);
      return this.#pull(client, signal);
    }
    const followed = everything ? null : projects();
    const added = followed ? unfollowed(store.db, this.space, followed) : [];
    if (added.length > 0) {
      await this.#take(client, { after: 0, upTo: cursor, projects: added }, signal);
      if (!signal.aborted) markFollowed(store.db, this.space, added);
    }
    await this.#take(client, { after: cursor, upTo: tail.last, projects: followed }, signal, true);
    if (!signal.aborted && tail.last > 0) moveCursor(store.db, this.space, tail.last, tail.lastRev);
  }

  async #take(
    client: Client,
    range: { after: number; upTo: number; projects: readonly string[] | null },
    signal: AbortSignal,
    movesCursor = false,
  ): Promise<void> {
    const { foreground } = this.#parts;
    const turns = new Turns(signal, { rests: false, foreground });
    let { after } = range;
    for (;;) {
      const heads: Head[] = await readHeads(client, this.#id, { ...range, after, limit: BATCH });
      for (let from = 0; from < heads.length; from += TOGETHER)
        await this.#apply(heads.slice(from, from + TOGETHER), turns, movesCursor);
      if (heads.length < BATCH || signal.aborted) return;
      await this.#push(client, signal); // what is published here does not wait for the end of a long log
      after = heads.at(-1)?.seq ?? after;
    }
  }

  /** Notes and the position behind them are stored in one transaction: a crash neither skips nor repeats one. */
  async #apply(heads: readonly Head[], turns: Turns, movesCursor: boolean): Promise<void> {
    const { store, models, foreground } = this.#parts;
    const applying = { store, space: this.space, login: this.login, models: models() };
    const writing: Array<Promise<void>> = [];
    try {
      for (let from = 0, to = 0; from < heads.length; from = to) {
        await turns.next();
        to = from + (foreground.isQuiet() ? TOGETHER : 1); // a commit costs as much as a note
        store.db.transaction(() => {
          const group = heads.slice(from, to);
          for (const head of group) applyHead(applying, head);
          const last = group.at(-1);
          if (movesCursor && last) moveCursor(store.db, this.space, last.seq, last.rev);
        })();
        writing.push(flushOutboxAside(store.db, store.documents, store.onStep));
      }
    } finally {
      await Promise.all(writing);
    }
  }

  /** The log is not the one read before: a server restored from a backup. Own revisions it lost are sent again. */
  async #startOver(client: Client, last: number, cursor: number): Promise<void> {
    const { store } = this.#parts;
    this.#notice = `The server was restored from an older backup: its log ends at ${last}, and ${cursor} had been read. Everything was compared again, and what it lost of yours was sent again.`;
    const own = teamNotes(store.db, this.space, 'own').filter(({ localId }) => localId !== '');
    const there = await findRevisions(
      client,
      this.#id,
      own.map(({ rev }) => rev),
    );
    const lost = own.filter(({ rev }) => !there.has(rev));
    const heads = new Map<string, string | null>();
    for (const { noteId } of lost) heads.set(noteId, await headOf(client, this.#id, noteId));
    asOneUnit(store, () => {
      for (const known of lost) {
        dropFromOutbox(store.db, this.space, known.noteId);
        queueAgain(
          { store, space: this.space, login: this.login, role: this.role },
          known,
          heads.get(known.noteId) ?? null,
        );
      }
      moveCursor(store.db, this.space, 0, '');
    });
  }

  async #push(client: Client, signal: AbortSignal): Promise<void> {
    const { db } = this.#parts.store;
    const { url } = this.#row();
    const sending = { ...this.#parts, client, space: this.space, id: this.#id, url };
    for (let row = nextInOutbox(db, this.space); row && !signal.aborted; row = nextInOutbox(db, this.space))
      if ((await sendRevision(sending, row)) === 'conflict') this.wake();
  }
}
