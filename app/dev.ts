// `npm run dev`: the renderer with hot reload, against the daemon that runs or one started from the sources.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import type { RunFile } from '#contract/run-file.ts';
import { runFolder } from '#contract/run-folder.ts';
import { messageOf } from '#contract/errors.ts';
import { createServer, type ViteDevServer } from 'vite';
import { DaemonProcess } from './daemon-process.ts';
import { chooseHome } from './demo-home.ts';
import { locate } from './locations.ts';
import { ROOT } from './setup.mjs';
import { say, whenOrphaned } from './terminal.mjs';
import { VERSION } from './version.ts';

const USAGE = 'Usage: npm run dev [-- --demo]     --demo: a throw-away home with a demo knowledge base';
const COOKIE = 'reflect_dev';

const flags = process.argv.slice(2);
const unknown = flags.find((flag) => flag !== '--demo');
if (unknown !== undefined) {
  say(`Unknown option ${unknown}. ${USAGE}`);
  process.exit(2);
}

const { env, remove } = chooseHome(flags, process.env);
const { home } = locate(path.join(ROOT, 'dist', 'app'), env);
const daemon = new DaemonProcess({
  home,
  version: VERSION,
  command: process.execPath,
  args: [path.join(ROOT, 'daemon', 'main.ts'), ...flags],
  env: { ...env, REFLECT_HOME: home },
  errorLog: path.join(runFolder(home), 'start.log'),
});
// Only a page opened with this key is served, because the server forwards requests with the daemon's token.
const key = randomBytes(24).toString('base64url');

const interrupted = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  whenOrphaned(resolve);
});

let server: ViteDevServer | undefined;
try {
  await daemon.ensure();
  const ours = process.listeners('SIGTERM');
  server = await createServer({
    configFile: path.join(ROOT, 'renderer', 'vite.config.ts'),
    server: { host: '127.0.0.1', port: Number(env['PORT'] ?? 5173) },
    plugins: [{ name: 'reflect-dev', configureServer: letIn }],
  });
  // Vite would end the process at once, and leave the daemon and the home of a demo behind.
  for (const listener of process.listeners('SIGTERM'))
    if (!ours.includes(listener)) process.off('SIGTERM', listener);
  await server.listen();
  const [address] = server.resolvedUrls?.local ?? [];
  say(`Open ${address}?key=${key}\n\nEdits in renderer/ appear at once. Press Ctrl-C to stop.`);
  await interrupted;
} catch (problem) {
  say(messageOf(problem));
  process.exitCode = 1;
} finally {
  await server?.close();
  await daemon.stop();
  await remove();
}

function letIn(vite: ViteDevServer): void {
  vite.middlewares.use((request, response, next) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (!isKey(url.searchParams.get('key'))) {
      next();
      return;
    }
    response.writeHead(302, {
      location: '/',
      'set-cookie': `${COOKIE}=${key}; HttpOnly; SameSite=Strict; Path=/`,
    });
    response.end();
  });
  vite.httpServer?.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (request.url !== '/ws') return; // Vite's own
    socket.on('error', () => socket.destroy());
    void passOn(request, socket, head).catch(() => socket.destroy());
  });
}

/** Connects the page to the daemon as it is now: after a restart it has another port and token. */
async function passOn(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
  if (!isKey(cookieOf(request))) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  const running = await daemon.ensure();
  if (!running) return void socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
  const upstream = connect(running.port, '127.0.0.1', () => {
    upstream.write(upgradeRequest(request, running));
    upstream.write(head);
    socket.pipe(upstream).pipe(socket);
  });
  upstream.on('error', () => socket.destroy());
  upstream.on('close', () => socket.destroy());
  socket.on('close', () => upstream.destroy());
}

/** The same request, from the daemon's own origin and with its token. */
function upgradeRequest({ headers }: IncomingMessage, { port, token }: RunFile): string {
  const { origin: _origin, cookie: _cookie, ...rest } = headers;
  const sent = { ...rest, host: `127.0.0.1:${port}`, authorization: `Bearer ${token}` };
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${String(value)}`);
  return ['GET /ws HTTP/1.1', ...lines, '', ''].join('\r\n');
}

function cookieOf({ headers }: IncomingMessage): string | undefined {
  const pairs = headers.cookie?.split(/;\s*/) ?? [];
  return pairs.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
}

function isKey(given: string | null | undefined): boolean {
  const [mine, theirs] = [Buffer.from(key), Buffer.from(given ?? '')];
  return mine.length === theirs.length && timingSafeEqual(mine, theirs);
}
