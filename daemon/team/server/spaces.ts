import { type ClientBase, escapeIdentifier } from 'pg';
import { DaemonError } from '#contract/errors.ts';
import type { TeamMember, TeamPreview, TeamRole } from '#contract/team.ts';
import { countByProject } from './log.ts';
import { migrateServer, serverVersion, SERVER_MIGRATIONS } from './schema.ts';

/** A space as its server describes it to one member. */
export interface SpaceInfo {
  id: number;
  name: string;
  login: string;
  role: TeamRole;
}

/**
 * Makes the space and its schema; whoever owns the database becomes its first curator. Repeating it changes nothing.
 */
export async function createSpace(client: ClientBase, name: string): Promise<SpaceInfo> {
  await migrateServer(client);
  await client.query('INSERT INTO reflect.space (name) VALUES ($1) ON CONFLICT DO NOTHING', [name]);
  await client.query(
    `INSERT INTO reflect.member (space, login, role) SELECT id, session_user, 'curator' FROM reflect.space WHERE name = $1
     ON CONFLICT DO NOTHING`,
    [name],
  );
  return openSpace(client, name);
}

/** The space, for one of its members; nobody else learns whether it exists. */
export async function openSpace(client: ClientBase, name: string): Promise<SpaceInfo> {
  const version = await serverVersion(client);
  if (version === 0)
    throw new DaemonError(
      'not-found',
      'The database holds no team memory, or this login was not added to it. Its owner runs `reflect team create` and `reflect team members add`.',
    );
  if (version < SERVER_MIGRATIONS.length)
    throw new DaemonError(
      'conflict',
      `The team’s database is older than this Reflect (schema ${version} of ${SERVER_MIGRATIONS.length}). Its owner brings it up to date with \`reflect team create\`.`,
    );
  const { rows } = await client.query<SpaceInfo>(
    `SELECT space.id, space.name, session_user::text AS login, member.role
     FROM reflect.space JOIN reflect.member ON member.space = space.id AND member.login = session_user
     WHERE space.name = $1`,
    [name],
  );
  const [space] = rows;
  if (!space)
    throw new DaemonError(
      'not-found',
      `There is no space “${name}” on this server, or this login is not one of its members.`,
    );
  return space;
}

/** The notes that somebody with these projects would get; null for all of them. */
export async function previewSpace(
  client: ClientBase,
  { id, name, login, role }: SpaceInfo,
  followed: readonly string[] | null,
): Promise<TeamPreview> {
  const projects = (await countByProject(client, id)).map(({ project, notes }) => ({
    project,
    notes,
    followed: followed === null || project === '' || followed.includes(project),
  }));
  const incoming = projects.filter((each) => each.followed).reduce((sum, { notes }) => sum + notes, 0);
  return { space: name, login, role, members: await listMembers(client, id), projects, incoming };
}

export async function listMembers(client: ClientBase, space: number): Promise<TeamMember[]> {
  const { rows } = await client.query<TeamMember>(
    `SELECT login::text, role, (extract(epoch FROM since) * 1000)::float8 AS since, coalesce(notes, 0) AS notes
     FROM reflect.member
     LEFT JOIN (SELECT owner, count(*)::int AS notes FROM reflect.head WHERE space = $1 AND NOT gone GROUP BY owner) AS owned
       ON owner = login
     WHERE space = $1 ORDER BY login`,
    [space],
  );
  return rows.map(({ since, ...member }) => ({ ...member, since: Math.round(since) }));
}

/** Only the owner of the database may call this: it grants rights on the tables. */
export async function setMember(
  client: ClientBase,
  space: number,
  login: string,
  role: TeamRole | null,
): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [login]);
  const who = escapeIdentifier(login);
  if (!rowCount && role)
    throw new DaemonError(
      'not-found',
      `The server has no login “${login}”. Create it first, e.g. CREATE ROLE ${who} LOGIN PASSWORD '…'.`,
    );
  await client.query('BEGIN');
  try {
    if (role) await admit(client, space, login, role);
    else await client.query('DELETE FROM reflect.member WHERE space = $1 AND login = $2', [space, login]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    if (error instanceof Error && 'code' in error && error.code === '42501')
      throw new DaemonError(
        'forbidden',
        'Only the login that created the team’s database can change its members.',
      );
    throw error;
  }
}

async function admit(client: ClientBase, space: number, login: string, role: TeamRole): Promise<void> {
  const who = escapeIdentifier(login);
  await client.query(
    `INSERT INTO reflect.member (space, login, role) VALUES ($1, $2, $3) ON CONFLICT (space, login) DO UPDATE SET role = excluded.role`,
    [space, login, role],
  );
  await client.query(`
    GRANT USAGE ON SCHEMA reflect TO ${who};
    GRANT SELECT ON reflect.migration, reflect.space, reflect.member, reflect.revision, reflect.head TO ${who};
    GRANT INSERT (space, rev, note_id, parent, kind, author, project, everywhere, note, hash, vectors) ON reflect.revision TO ${who};
  `);
}
