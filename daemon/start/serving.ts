import { fileURLToPath } from 'node:url';
import { DaemonError } from '#contract/errors.ts';
import type { RunFile } from '#contract/run-file.ts';
import type { DaemonParts } from '../handlers/daemon-parts.ts';
import { createHandlers } from '../handlers/index.ts';
import { HOOK_KNOBS } from '../platform/hook-knobs.ts';
import { removeRunFile, writeRunFile } from '../platform/lock.ts';
import { createDispatch } from '../serve/dispatch.ts';
import { listenOnHttp } from '../serve/http.ts';
import { listenOnSocket } from '../serve/socket.ts';
import { newToken } from '../serve/token.ts';
import { STORAGE_SENTENCES } from '../store/health.ts';
import { countRedactions } from '../store/meta.ts';
import type { Core } from './core.ts';

const BUILT = !import.meta.url.endsWith('.ts');
const RENDERER = fileURLToPath(new URL(BUILT ? '../renderer' : '../../dist/renderer', import.meta.url));

/** Answers requests on the socket and over HTTP, and writes the file by which clients find them. */
export async function startServing(
  core: Core,
  parts: Omit<DaemonParts, 'openUrl' | 'revokeBrowsers'>,
): Promise<RunFile> {
  const { paths, log, now, events, resolve, running } = core;
  const { db } = core.store;
  const token = newToken();
  const handlers = createHandlers({
    ...parts,
    openUrl: () => http.openUrl(),
    revokeBrowsers: () => http.revoke(),
  });
  const dispatch = createDispatch({
    handlers,
    log,
    emit: (event) => events.emit(event),
    onRedacted: (counts) => db.health.tolerate(() => countRedactions(db, counts)),
    explain: (error) => {
      const problem = db.health.note(error);
      return problem && new DaemonError('not-stored', STORAGE_SENTENCES[problem]);
    },
  });
  const onError = (error: Error) => log.error('accepting a connection', error);
  const http = await listenOnHttp({
    token,
    dispatch,
    events,
    renderer: RENDERER,
    browsers: paths.browsers,
    now,
    onError,
  });
  running.add('HTTP', () => http.close());
  const socket = await listenOnSocket({ path: paths.socket, token, dispatch, events, onError });
  running.add('socket', () => socket.close());
  const runFile = (): RunFile => ({
    pid: process.pid,
    version: parts.version,
    port: http.port,
    socket: paths.socket,
    token,
    startedAt: parts.startedAt,
    hooks: { startMs: resolve(HOOK_KNOBS.startMs), otherMs: resolve(HOOK_KNOBS.otherMs) },
  });
  const run = runFile();
  writeRunFile(paths.runFile, run);
  // Hooks read how long they may wait from this file.
  const deadlines = [HOOK_KNOBS.startMs.name, HOOK_KNOBS.otherMs.name];
  core.settings.onChange((changed) => {
    if (deadlines.some((name) => changed.has(name))) writeRunFile(paths.runFile, runFile());
  });
  running.add('run file', () => removeRunFile(paths.runFile));
  log.info(`listening on ${paths.socket} and port ${http.port}`);
  return run;
}
