import * as z from 'zod';
import type { TeamOutgoing, TeamPolicy, TeamPreview } from '#contract/team.ts';
import type { Queries, Resource, Scope } from '../query/queries.svelte.ts';
import { asError } from '../ui/error.ts';
import { remember, remembered } from '../ui/remember.ts';

const QUIET_MS = 200;
const PAGE = 50; // entries of the log
const MOST = 500;

const Joining = z.object({ url: z.string(), name: z.string() });

/** The part of an address that may be stored: no password, and nothing that may become one as typing goes on. */
export function withoutPassword(url: string): string {
  const scheme = /^\w+:\/\//.exec(url)?.[0] ?? '';
  const rest = url.slice(scheme.length);
  const at = rest.lastIndexOf('@');
  const safe =
    at < 0 ? rest.replace(/:(?!\d+\/).*/, '') : rest.slice(0, at).replace(/:.*/, '') + rest.slice(at);
  return scheme + safe.replace(/([?&]\w*password=)[^&]*/gi, '$1');
}

/** The spaces shared with colleagues: everything is looked at before it enters or leaves. */
export class SpacesState {
  readonly #scope: Scope;
  readonly spaces: Resource<'team.status'>;
  readonly log: Resource<'team.log'>;
  readonly members: Resource<'team.members'>;
  /** The space whose activity is shown, and how much of it. */
  looking = $state<string | null>(null);
  #shown = $state(PAGE);
  url = $state('');
  name = $state('');
  everything = $state(false);
  /** The form to join or create a space is open; what is typed there stays while one visits other pages. */
  isJoining = $state(false);
  /** The space that would be joined. */
  preview = $state.raw<TeamPreview | null>(null);
  /** The note that would be published, with every word of it. */
  outgoing = $state.raw<{ space: string; item: TeamOutgoing } | null>(null);
  error = $state.raw<Error | null>(null);
  busy = $state(false);

  constructor(queries: Queries) {
    this.#scope = queries.scope('team', QUIET_MS);
    this.spaces = this.#scope.resource('team.status');
    this.log = this.#scope.resource('team.log');
    this.members = this.#scope.resource('team.members');
    const { url, name } = remembered('team.join', Joining, { url: '', name: '' });
    this.url = url;
    this.name = name;
    this.isJoining = url !== '' || name !== '';
  }

  load(): Promise<void> {
    return this.spaces.ask({});
  }

  /** The activity and the members come from the server, so they are fetched when somebody looks. */
  async look(space: string | null, limit = PAGE): Promise<void> {
    this.looking = space;
    this.#shown = limit;
    if (space) await Promise.all([this.log.ask({ space, limit }), this.members.ask({ space })]);
  }

  get hasOlder(): boolean {
    return this.#shown < MOST && (this.log.value?.length ?? 0) >= this.#shown;
  }

  lookFurther(): Promise<void> {
    return this.look(this.looking, Math.min(MOST, this.#shown + 3 * PAGE));
  }

  typed(): void {
    this.preview = null;
    this.error = null;
    remember('team.join', { url: withoutPassword(this.url), name: this.name });
  }

  /** Closes the form and forgets what was typed. */
  close(): void {
    this.url = this.name = '';
    this.isJoining = false;
    this.typed();
  }

  get #typed() {
    return { url: this.url.trim(), space: this.name.trim() };
  }

  inspect(): Promise<void> {
    return this.#try(async () => {
      this.preview = await this.#scope.call('team.inspect', {
        ...this.#typed,
        everything: this.everything,
      });
    });
  }

  create(): Promise<void> {
    return this.#try(async () => {
      this.preview = await this.#scope.call('team.create', this.#typed);
    });
  }

  join(): Promise<void> {
    return this.#try(async () => {
      await this.#scope.call('team.join', { ...this.#typed, everything: this.everything });
      this.close();
      this.everything = false;
    });
  }

  offer(space: string, id: string): Promise<void> {
    return this.#try(async () => {
      const [item] = await this.#scope.call('team.preview', { space, ids: [id] });
      this.outgoing = item ? { space, item } : null;
    });
  }

  publish(): Promise<void> {
    const { outgoing } = this;
    if (!outgoing) return Promise.resolve();
    return this.#do(async () => {
      await this.#scope.call('team.publish', {
        space: outgoing.space,
        ids: [outgoing.item.id],
      });
      this.outgoing = null;
    });
  }

  decline(space: string, id: string): Promise<void> {
    return this.#try(() => this.#scope.call('team.decline', { space, id }));
  }

  retract(space: string, id: string): Promise<void> {
    return this.#do(async () => {
      await this.#scope.call('team.retract', { space, id });
      await this.log.refetch();
    });
  }

  setPolicy(space: string, project: string, policy: TeamPolicy): Promise<void> {
    return this.#try(() => this.#scope.call('team.policy', { space, project, policy }));
  }

  leave(space: string, notes: 'remove' | 'keep'): Promise<void> {
    return this.#do(() => this.#scope.call('team.leave', { space, notes }));
  }

  async #try(work: () => Promise<unknown>): Promise<void> {
    this.error = null;
    try {
      await this.#do(work);
    } catch (error) {
      this.error = asError(error);
    }
  }

  /** Rejects with what went wrong, for a dialog that shows it itself. */
  async #do(work: () => Promise<unknown>): Promise<void> {
    this.busy = true;
    try {
      await work();
      await this.spaces.refetch();
    } finally {
      this.busy = false;
    }
  }
}
