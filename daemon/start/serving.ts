import { fileURLToPath } from 'node:url';
import type { RunFile } from '#contract/run-file.ts';
import type { DaemonParts } from '../handlers/daemon-parts.ts';
import { createHandlers } from '../handlers/index.ts';
import { HOOK_KNOBS } from '../platform/hook-knobs.ts';
import { removeRunFile, writeRunFile } from '../platform/lock.ts';
import { createDispatch } from '../serve/dispatch.ts';
import { listenOnHttp } from '../serve/http.ts';
import { listenOnSocket } from '../serve/socket.ts';
import { newToken } from '../serve/token.ts';
import { countRedactions } from '../store/meta.ts';
import type { Core } from './core.ts';

const BUILT = !import.meta.url.endsWith('.ts');
const RENDERER = fileURLToPath(new URL(BUILT ? '../renderer' : '../../dist/renderer', import.meta.url));

/** Answers requests on the socket and over HTTP, and writes the file by which clients find them. */
export async function startServing(core: Core, parts: Omit<DaemonParts, 'openUrl'>): Promise<RunFile> {
  const { paths, log, now, events, resolve, running } = core;
  const token = newToken();
  const handlers = createHandlers({ ...parts, openUrl: () => http.openUrl() });
  const dispatch = createDispatch({
    handlers,
    log,
    emit: (event) => events.emit(event),
    onRedacted: (counts) => countRedactions(core.store.db, counts),
  });
  const http = await listenOnHttp({ token, dispatch, events, renderer: RENDERER, now });
  running.add('HTTP', () => http.close());
  const socket = await listenOnSocket({ path: paths.socket, token, dispatch, events });
  running.add('socket', () => socket.close());
  const run: RunFile = {
    pid: process.pid,
    version: parts.version,
    port: http.port,
    socket: paths.socket,
    token,
    startedAt: parts.startedAt,
    hooks: { startMs: resolve(HOOK_KNOBS.startMs), otherMs: resolve(HOOK_KNOBS.otherMs) },
  };
  writeRunFile(paths.runFile, run);
  running.add('run file', () => removeRunFile(paths.runFile));
  log.info(`listening on ${paths.socket} and port ${http.port}`);
  return run;
}
