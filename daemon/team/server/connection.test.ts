import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { needs } from '../../testing/needs.ts';
import { postgresMissing, startPostgres, TEAM_ENVIRONMENT, type TestServer } from '../../testing/postgres.ts';
import { connectTo } from './connection.ts';

// Two ways to write this machine's address that do not look like loopback to us, so that the connection must be
// encrypted.
const NAMED = '0.0.0.0'; // in the certificate
const UNNAMED = '127.1'; // not in it

const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
function opensslMissing(): string | null {
  try {
    openssl('version');
    return null;
  } catch {
    return 'no openssl here to make certificates with';
  }
}
const missing =
  postgresMissing() ??
  opensslMissing() ??
  (process.platform === 'win32' ? 'Windows has no other name for this machine’s own address' : null);
needs(missing);

let folder: string;
let server: TestServer;
const file = (name: string) => join(folder, name);

/** A certificate authority of our own, with no trust anywhere else. */
const makeAuthority = (name: string) =>
  openssl(
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', `/CN=${name}`, '-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)],
  );

function makeServerCertificate(authority: string): { 'server.crt': string; 'server.key': string } {
  openssl(
    ...['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=team'],
    ...['-keyout', file('server.key'), '-out', file('server.csr')],
  );
  writeFileSync(file('names'), `subjectAltName=IP:${NAMED}`);
  openssl(
    ...[
      'x509',
      '-req',
      '-in',
      file('server.csr'),
      '-days',
      '2',
      '-extfile',
      file('names'),
      '-CAcreateserial',
    ],
    ...['-CA', file(`${authority}.pem`), '-CAkey', file(`${authority}.key`), '-out', file('server.crt')],
  );
  const text = (name: string) => readFileSync(file(name), 'utf8');
  return { 'server.crt': text('server.crt'), 'server.key': text('server.key') };
}

beforeAll(async () => {
  if (missing !== null) return;
  folder = mkdtempSync(join(tmpdir(), 'reflect-tls-'));
  for (const name of ['ours', 'theirs']) makeAuthority(name);
  server = await startPostgres({
    files: makeServerCertificate('ours'),
    settings: { ssl: 'on', ssl_cert_file: '../server.crt', ssl_key_file: '../server.key' },
  });
}, 60_000);

afterAll(async () => {
  if (missing !== null) return;
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
});

const open = (
  host: string,
  query = '',
  more: { environment?: NodeJS.ProcessEnv; passwordCommand?: string } = {},
) =>
  connectTo({
    url: `postgres://owner@${host}:${server.port}/postgres${query}`,
    environment: TEAM_ENVIRONMENT,
    passwordCommand: '',
    ...more,
  });

test('a server with a certificate of the named authority is spoken to, encrypted', async () => {
  const client = await open(NAMED, `?sslrootcert=${file('ours.pem')}`);
  const { rows } = await client.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
  await client.end();
  expect(rows).toEqual([{ ssl: true }]);
});

test.each([
  ['an authority that nobody trusts', NAMED, '', 'Its certificate cannot be trusted'],
  ['another authority than the named one', NAMED, 'theirs.pem', 'Its certificate cannot be trusted'],
  ['a certificate for another host', UNNAMED, 'ours.pem', 'Its certificate was made out to another host'],
  ['an authority whose file is missing', NAMED, 'missing.pem', 'The certificate authority'],
])('%s is refused, and nothing is sent', async (_, host, authority, sentence) => {
  const query = authority && `?sslrootcert=${file(authority)}`;
  await expect(open(host, query)).rejects.toThrow(sentence);
});

test('the password comes from the environment, else from the command, else from the password file', async () => {
  const who = async (client: Awaited<ReturnType<typeof open>>) => {
    const { rows } = await client.query<{ login: string }>('SELECT session_user::text AS login');
    await client.end();
    return rows[0]?.login;
  };
  const { PGPASSWORD } = TEAM_ENVIRONMENT;
  const prints = (text: string) => `test "$PGUSER $PGHOST" = "owner localhost" && printf '%s\\n' '${text}'`;
  const asked = { environment: { PATH: process.env.PATH }, passwordCommand: prints(PGPASSWORD) };
  expect(await who(await open('localhost', '', { passwordCommand: prints('not asked') }))).toBe('owner');
  expect(await who(await open('localhost', '', asked))).toBe('owner');
  const failing = (passwordCommand: string) => open('localhost', '', { ...asked, passwordCommand });
  await expect(failing(prints('wrong'))).rejects.toThrow('refused the password');
  await expect(failing('echo secret words; exit 3')).rejects.toThrow(/^(?!.*secret).*ended with 3/);
  await expect(failing('true')).rejects.toThrow('printed nothing');
  writeFileSync(file('pgpass'), `localhost:${server.port}:*:owner:${PGPASSWORD}\n`, { mode: 0o600 });
  vi.stubEnv('PGPASSFILE', file('pgpass'));
  try {
    expect(await who(await open('localhost', '', { environment: {} }))).toBe('owner');
  } finally {
    vi.unstubAllEnvs();
  }
});
