import { setTimeout as sleep } from 'node:timers/promises';
import type { Output } from '#contract/methods.ts';
import { DaemonError, messageOf } from '#contract/errors.ts';
import type { PublishOffer, TeamOutgoing, TeamPolicy, TeamSpace } from '#contract/team.ts';
import { BackgroundTask } from '../platform/background-task.ts';
import { rememberProject } from '../store/learnings/learnings.ts';
import { asOneUnit, type Store } from '../store/learnings/write.ts';
import {
  addSpace,
  countOutbox,
  decline,
  findSpace,
  findTeamNote,
  getSpace,
  listSpaces,
  onlySpace,
  setPolicy,
  teamNoteOf,
  removeSpace,
  teamNotes,
  countTeamNotes,
  listPolicies,
  listRefusals,
  type SpaceRow,
} from '../store/team.ts';
import { Offers } from './offers.ts';
import { asShown, type Publishing, planPublishing, queuePublishing, queueRetraction } from './publish.ts';
import { type Joining, RemoteSpaces } from './remote-spaces.ts';
import { parseAddress } from './server/connection.ts';
import { SpaceSync, type SyncParts } from './sync.ts';
import { backUpNow } from '../store/backups.ts';
import { eraseDocuments } from '../store/erase/files.ts';
import { findErased, eraseRows } from '../store/erase/rows.ts';
import type { ReadableDb } from '../store/db.ts';

export interface TeamParts extends SyncParts {
  backups: string;
}

const SETTLE = 500; // ms; a drain changes many notes
const TIMEOUT_MS = 10_000; // a person waits for the server; what they published is stored by then

/**
 * The spaces this machine shares notes with. Nothing leaves it that a person, or a policy a person set, did not
 * publish.
 */
export class Team {
  readonly remote: RemoteSpaces;
  readonly #parts: TeamParts;
  readonly #syncs = new Map<string, SpaceSync>();
  readonly #publishing: BackgroundTask;
  readonly #offers: Offers;
  readonly #unsubscribe: () => void;

  constructor(parts: TeamParts) {
    this.#parts = parts;
    const { store, log } = parts;
    this.remote = new RemoteSpaces(parts);
    this.#offers = new Offers(store.db);
    this.#publishing = new BackgroundTask({
      settleMs: SETTLE,
      work: () => this.#publishByPolicy(),
      onError: (error) => log.error('publishing to the team', error),
    });
    this.#unsubscribe = store.db.changes.subscribe(
      () => this.#syncs.size > 0 && this.#publishing.wake(),
      (error) => log.error('following changes for the team', error),
    );
  }

  start(): void {
    for (const { name } of listSpaces(this.#parts.store.db)) this.#follow(name).wake();
    this.#publishing.wake();
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#publishing.stop();
    await Promise.all([...this.#syncs.values()].map((sync) => sync.stop()));
  }

  #follow(space: string): SpaceSync {
    const sync = new SpaceSync(this.#parts, space);
    this.#syncs.set(space, sync);
    return sync;
  }

  async join(joining: Joining): Promise<TeamSpace> {
    const { store } = this.#parts;
    const { url, space, everything, here } = joining;
    const known = findSpace(store.db, space);
    if (known)
      throw new DaemonError(
        'conflict',
        `You are in a space “${space}” already, on ${parseAddress(known.url).host}.`,
      );
    const { projects } = await this.remote.inspect(joining);
    if (here && projects.some(({ project }) => project === here.id))
      rememberProject(store.db, { id: here.id, name: here.name, root: here.root }, store.now());
    addSpace(store.db, { name: space, url, everything, joinedAt: store.now() });
    const sync = this.#follow(space);
    await sync.run();
    return this.#describeHere(space);
  }

  /** Brings every space in step now; rejects while a server is away. */
  async sync(): Promise<void> {
    await Promise.all([...this.#syncs.values()].map((sync) => sync.run()));
  }

  status(): TeamSpace[] {
    return listSpaces(this.#parts.store.db).map(({ name }) => this.#describeHere(name));
  }

  #describeHere(space: string): TeamSpace {
    return describeSpace(
      this.#parts.store.db,
      getSpace(this.#parts.store.db, space),
      this.#sync(space),
      this.#offers,
    );
  }

  #publishByPolicy(): void {
    const { store } = this.#parts;
    for (const [space, sync] of this.#syncs) {
      const ids = this.#offers.of(space, 'auto').map(({ id }) => id);
      if (ids.length === 0 || sync.role === null) continue;
      const parts = this.#publishingTo(space);
      if (asOneUnit(store, () => queuePublishing(parts, planPublishing(parts, ids))) > 0) sync.wake();
    }
  }

  #publishingTo(space: string): Publishing {
    const { login, role } = this.#sync(space);
    return { store: this.#parts.store, space, login, role };
  }

  previewPublishing(space: string | undefined, ids: readonly string[]): TeamOutgoing[] {
    return planPublishing(this.#publishingTo(this.#only(space)), ids).map(asShown);
  }

  /** Stored before it is sent, so that publishing works offline, too. */
  async publish(space: string | undefined, ids: readonly string[]): Promise<Output<'team.publish'>> {
    const name = this.#only(space);
    const parts = this.#publishingTo(name);
    const plans = planPublishing(parts, ids);
    const queued = asOneUnit(this.#parts.store, () => queuePublishing(parts, plans));
    return { items: plans.map(asShown), queued, problem: queued > 0 ? await this.#send(name) : null };
  }

  async retract(space: string | undefined, id: string): Promise<{ problem: string | null }> {
    const name = this.#only(space);
    const { db } = this.#parts.store;
    const known = teamNoteOf(db, name, id) ?? findTeamNote(db, name, id);
    const parts = this.#publishingTo(name);
    if (!known || known.role === 'gone')
      throw new DaemonError('not-found', `“${id}” is not a note of ${name}.`);
    if (known.role !== 'own' && parts.role !== 'curator')
      throw new DaemonError(
        'forbidden',
        `It is a note of ${known.author}; they or a curator can retract it.`,
      );
    db.transaction(() => {
      queueRetraction(parts, known);
      decline(db, name, known.localId); // it is not offered again
    })();
    return { problem: await this.#send(name) };
  }

  /** Null when it is on the server; otherwise why it is sent later. */
  async #send(space: string): Promise<string | null> {
    const waited = new AbortController();
    const late = sleep(TIMEOUT_MS, 'It has not answered yet.', { signal: waited.signal, ref: false });
    try {
      return await Promise.race([
        this.#sync(space)
          .run()
          .then(() => null),
        late,
      ]);
    } catch (error) {
      return messageOf(error);
    } finally {
      waited.abort();
    }
  }

  setPolicy(space: string | undefined, project: string, policy: TeamPolicy): TeamSpace {
    const name = this.#only(space);
    setPolicy(this.#parts.store.db, name, project, policy);
    this.#publishing.wake();
    this.#parts.onChange();
    return this.#describeHere(name);
  }

  /** Everything that waits for a person to publish it. */
  waiting(): PublishOffer[] {
    return listSpaces(this.#parts.store.db).flatMap(({ name: space }) => {
      const offers = new Map(this.#offers.of(space, 'ask').map((offer) => [offer.id, offer]));
      return planPublishing(this.#publishingTo(space), [...offers.keys()])
        .filter(({ staysBecause }) => staysBecause === null)
        .map(({ id, title, project, text }) => ({
          space,
          id,
          title,
          project,
          changed: offers.get(id)?.changed ?? false,
          text,
        }));
    });
  }

  decline(space: string | undefined, id: string, declined = true): void {
    decline(this.#parts.store.db, this.#only(space), id, declined);
    this.#parts.onChange();
  }

  /**
   * Leaves a space; colleagues' notes go after one backup, or stay as own copies. What was published stays published;
   * what waits is sent first if the server answers.
   */
  async leave(space: string | undefined, notes: 'remove' | 'keep'): Promise<Output<'team.leave'>> {
    const { store, backups, onChange } = this.#parts;
    const name = this.#only(space);
    if (countOutbox(store.db, name) > 0) await this.#send(name);
    const unsent = countOutbox(store.db, name);
    await this.#sync(name).stop();
    this.#syncs.delete(name);
    const left = await forgetSpace(store, backups, { name, removes: notes === 'remove' });
    onChange();
    return { space: name, ...left, unsent };
  }

  #sync(space: string): SpaceSync {
    getSpace(this.#parts.store.db, space);
    return this.#syncs.get(space) ?? this.#follow(space);
  }

  #only(space: string | undefined): string {
    return onlySpace(this.#parts.store.db, space).name;
  }
}

/**
 * Everything of a space goes from this machine; colleagues' notes go with it after one backup, or stay as own copies.
 */
async function forgetSpace(
  store: Store,
  backups: string,
  { name, removes }: { name: string; removes: boolean },
): Promise<{ notes: number; backup: string | null }> {
  const ids = teamNotes(store.db, name, 'copy').map(({ localId }) => localId);
  const goes = removes && ids.length > 0;
  const backup = goes ? await backUpNow(store.db, backups, `leaving-${name}`, store.now()) : null;
  const erased = findErased(store.db, { learnings: goes ? ids : [], sessions: [], projects: [] });
  asOneUnit(store, () => {
    if (goes) eraseRows(store.db, erased, store.now());
    removeSpace(store.db, name);
  });
  eraseDocuments(store.documents, erased);
  return { notes: ids.length, backup };
}

/** A space as its member sees it: the connection, what came and went, and what waits. */
function describeSpace(db: ReadableDb, row: SpaceRow, sync: SpaceSync, offers: Offers): TeamSpace {
  const { name: space, url, everything, cursor } = row;
  const counts = countTeamNotes(db, space);
  return {
    space,
    url,
    login: sync.login,
    role: sync.role,
    ...sync.state,
    everything: everything === 1,
    position: cursor,
    published: counts.own,
    received: counts.copy,
    proven: counts.proof,
    unsent: countOutbox(db, space),
    refused: listRefusals(db, space).map(({ noteId: _, ...refusal }) => refusal),
    policies: listPolicies(db, space),
    offers: sync.role === 'reader' ? [] : offers.of(space, 'ask'),
  };
}
