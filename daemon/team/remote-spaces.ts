import type { Asked } from '#contract/methods.ts';
import type { Client } from 'pg';
import type { TeamLogEntry, TeamMember, TeamPreview, TeamRole } from '#contract/team.ts';
import type { ProjectIdentity } from '../platform/project.ts';
import { onlySpace } from '../store/team.ts';
import { askServer } from './server/connection.ts';
import { readLog } from './server/log.ts';
import {
  createSpace,
  listMembers,
  openSpace,
  previewSpace,
  setMember,
  type SpaceInfo,
} from './server/spaces.ts';
import type { SyncParts } from './sync.ts';

export interface Joining extends Omit<Asked<'team.inspect'>, 'cwd'> {
  /** The project somebody stands in: they have it, even if no agent worked in it yet. */
  here?: ProjectIdentity | null;
}

type Parts = Pick<SyncParts, 'store' | 'environment' | 'passwordCommand' | 'projects'>;

/** Questions and orders for a server that are answered there; they change nothing here. */
export class RemoteSpaces {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Makes the space on a server; nothing is joined or published. */
  create(url: string, space: string): Promise<TeamPreview> {
    return this.#onServer(url, async (client) =>
      previewSpace(client, await createSpace(client, space), this.#parts.projects()),
    );
  }

  /** Previews joining. */
  inspect({ url, space, everything, here }: Joining): Promise<TeamPreview> {
    const followed = [...this.#parts.projects(), ...(here ? [here.id] : [])];
    return this.#onServer(url, async (client) =>
      previewSpace(client, await openSpace(client, space), everything ? null : followed),
    );
  }

  log(space: string | undefined, limit: number): Promise<TeamLogEntry[]> {
    return this.#inSpace(space, (client, { id }) => readLog(client, id, limit));
  }

  members(space: string | undefined): Promise<TeamMember[]> {
    return this.#inSpace(space, (client, { id }) => listMembers(client, id));
  }

  setMember(space: string | undefined, login: string, role: TeamRole | null): Promise<TeamMember[]> {
    return this.#inSpace(space, async (client, { id }) => {
      await setMember(client, id, login, role);
      return listMembers(client, id);
    });
  }

  #inSpace<T>(space: string | undefined, ask: (client: Client, info: SpaceInfo) => Promise<T>): Promise<T> {
    const { name, url } = onlySpace(this.#parts.store.db, space);
    return this.#onServer(url, async (client) => ask(client, await openSpace(client, name)));
  }

  #onServer<T>(url: string, ask: (client: Client) => Promise<T>): Promise<T> {
    const { environment, passwordCommand } = this.#parts;
    return askServer({ url, environment, passwordCommand: passwordCommand() }, ask);
  }
}
