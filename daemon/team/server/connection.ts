import type { ConnectionOptions } from 'node:tls';
import { homedir } from 'node:os';
import pg from 'pg';
import { DaemonError, messageOf } from '#contract/errors.ts';
import { readBytes, UnreadableFile } from '../../platform/read-file.ts';
import { runCommand, shell } from '../../platform/run-command.ts';

/** How to reach the team's server: a PostgreSQL URL, and where its password comes from. */
interface ServerAddress {
  url: string;
  environment: NodeJS.ProcessEnv;
  /** Prints the password; '' for none. */
  passwordCommand: string;
}

const CONNECT_MS = 10_000;
const ANSWER_MS = 60_000; // a server that is gone without a word is given up after this
const LOCK_MS = 15_000; // somebody holds the space
const LARGEST_CERTIFICATE = 1024 * 1024; // bytes

/** Opens a connection: encrypted and checked, except to this machine. */
export async function connectTo(server: ServerAddress): Promise<pg.Client> {
  const { url, environment } = server;
  const { hostname, port, pathname, username, searchParams } = parseAddress(url);
  const login: Login = {
    PGHOST: hostname.replace(/^\[|\]$/g, ''),
    PGPORT: port || '5432',
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    PGUSER:
      decodeURIComponent(username) || environment.PGUSER || environment.USER || environment.USERNAME || '',
  };
  const client = new pg.Client({
    host: login.PGHOST,
    port: Number(login.PGPORT),
    database: login.PGDATABASE,
    ...(login.PGUSER ? { user: login.PGUSER } : {}),
    ...(await passwordOf(server, login)),
    ssl: isLoopback(hostname) ? false : trusting(searchParams.get('sslrootcert')),
    application_name: 'reflect',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    statement_timeout: ANSWER_MS,
    lock_timeout: LOCK_MS,
    keepAlive: true,
  });
  // A connection that breaks while nobody waits for it must not end the daemon; its owner listens for the end.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    void client.end().catch(() => {});
    throw explained(error, url);
  }
}

/** Opens a connection for one request. */
export async function askServer<T>(
  server: ServerAddress,
  ask: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connectTo(server);
  try {
    return await ask(client);
  } catch (error) {
    throw explained(error, server.url);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Without one, the library looks into the usual password file. */
async function passwordOf(
  { environment, passwordCommand }: ServerAddress,
  login: Login,
): Promise<{ password?: string }> {
  if (environment.PGPASSWORD) return { password: environment.PGPASSWORD };
  if (passwordCommand.trim() === '') return {};
  return { password: await passwordFrom(passwordCommand, login, environment) };
}

/**
 * Checks the certificate and that it was made out to this host; by the authorities that Node knows, or by this one
 * alone.
 */
function trusting(authority: string | null): ConnectionOptions {
  const checked = { rejectUnauthorized: true };
  if (authority === null) return checked;
  try {
    return { ...checked, ca: readBytes(authority, { largest: LARGEST_CERTIFICATE }) };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new DaemonError('bad-input', `The certificate authority ${error.message}.`);
  }
}

/** The URL without a password; with one it is refused, because it would be stored. */
export function parseAddress(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (
    !parsed ||
    !/^postgres(?:ql)?:$/.test(parsed.protocol) ||
    !parsed.hostname ||
    parsed.pathname.length < 2
  )
    throw new DaemonError('bad-input', 'Give the address as postgres://login@host:port/database.');
  if (parsed.password !== '')
    throw new DaemonError(
      'bad-input',
      'Leave the password out of the address: Reflect stores none. It takes it from PGPASSWORD in the daemon’s environment, from REFLECT_TEAM_PASSWORD_COMMAND or from ~/.pgpass.',
    );
  return parsed;
}

const isLoopback = (host: string): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);

const SENTENCES: Readonly<Record<string, string>> = {
  '28P01':
    'The server refused the password of this login. Reflect takes it from PGPASSWORD in the daemon’s environment, REFLECT_TEAM_PASSWORD_COMMAND or ~/.pgpass.',
  '28000': 'The server does not let this login in.',
  '3D000': 'The server has no such database.',
  '25006': 'The server is read-only at the moment; nothing can be published.',
  '53100': 'The server’s disk is full; nothing can be published.',
  '53300': 'The server has too many connections.',
  '57P01': 'The server was stopped.',
  '57P03': 'The server is starting or stopping.',
  '55P03': 'Someone else is still publishing. Try again in a moment.',
  '57014': 'The server took too long.',
  '3F000': 'The database holds no team memory; `reflect team create` makes one.',
  '42P01': 'The database holds no team memory; `reflect team create` makes one.',
  '42501': 'This login may not do that here.',
  '23514': 'The server refused the note: it is too large or belongs to no project.',
  RF001: 'The note was retracted everywhere; publish it as a new one.',
  ECONNREFUSED: 'No server answers at this address.',
  ENOTFOUND: 'There is no host of this name.',
  EAI_AGAIN: 'The name of the host cannot be looked up right now.',
  ETIMEDOUT: 'The server does not answer.',
  ECONNRESET: 'The server closed the connection.',
};

/** Refusals that a second attempt meets again. Everything else may pass, so what waits goes on waiting. */
const LASTING: ReadonlySet<string> = new Set(['42501', '23514', '22P05', '22P02', 'RF001']);

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

export const isReadOnly = (error: unknown): boolean => codeOf(error) === '25006';

export const isLasting = (error: unknown): boolean => LASTING.has(codeOf(error));

/** The failure of a server as a sentence for a person. */
export function explained(error: unknown, url: string): DaemonError {
  if (error instanceof DaemonError) return error;
  const message = messageOf(error);
  const { host } = new URL(url);
  const sentence = SENTENCES[codeOf(error)] ?? sentenceFor(message);
  return new DaemonError('unreachable', `The team’s server ${host}: ${sentence ?? `${message}.`}`);
}

function sentenceFor(message: string): string | undefined {
  if (/does not support SSL/i.test(message))
    return 'It offers no encryption, and Reflect sends nothing unencrypted to another machine.';
  if (/does not match certificate/i.test(message))
    return 'Its certificate was made out to another host. Use a name that the certificate has.';
  if (/certificate|self.signed|unable to verify/i.test(message))
    return `Its certificate cannot be trusted (${message.split(';')[0]}). Add ?sslrootcert=/path/to/ca.pem to the address.`;
  if (/password must be a string|no password/i.test(message)) return SENTENCES['28P01'];
  if (/timeout|timed out|terminated unexpectedly|Connection terminated/i.test(message))
    return 'It does not answer.';
  return undefined;
}

const TIMEOUT_MS = 30_000; // a keychain may ask the person to unlock it

/** Given to the command, so that one serves several servers and logins. */
interface Login {
  PGHOST: string;
  PGPORT: string;
  PGDATABASE: string;
  PGUSER: string;
}

/** Prints nothing of what the command wrote: it may be the password. */
async function passwordFrom(command: string, login: Login, environment: NodeJS.ProcessEnv): Promise<string> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const failed = (why: string) =>
    new DaemonError(
      'unreachable',
      `The command for the team’s password ${why}. It is REFLECT_TEAM_PASSWORD_COMMAND.`,
    );
  const { code, stdout } = await runCommand({
    argv: shell(command),
    cwd: homedir(),
    environment: { ...environment, ...login },
    input: '',
    signal: timeout,
  }).catch(() => {
    throw failed(timeout.aborted ? `did not end within ${TIMEOUT_MS / 1_000} s` : 'cannot be run');
  });
  if (code !== 0) throw failed(`ended with ${code}`);
  const password = stdout.replace(/\r?\n$/, '');
  if (password === '') throw failed('printed nothing');
  return password;
}
