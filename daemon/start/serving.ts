import { fileURLToPath } from 'node:url';
import { DaemonError } from '#contract/errors.ts';
import type { RunFile } from '#contract/run-file.ts';
import type { DaemonParts } from '../handlers/daemon-parts.ts';
import { createHandlers } from '../handlers/index.ts';
import { HOOK_KNOBS } from '../platform/hook-knobs.ts';
import { removeRunFile, writeRunFile } from '../platform/lock.ts';
import { Confirmations } from '../serve/confirmations.ts';
import { createDispatch } from '../serve/dispatch.ts';
import { listenOnHttp } from '../serve/http.ts';
import { listenOnSocket } from '../serve/socket.ts';
import { rotateRepeatedly, Tokens } from '../serve/token.ts';
import { isBusy, STORAGE_SENTENCES } from '../store/health.ts';
import { countRedactions } from '../store/meta.ts';
import type { Core } from './core.ts';

const BUILT = !import.meta.url.endsWith('.ts');
const RENDERER = fileURLToPath(new URL(BUILT ? '../renderer' : '../../dist/renderer', import.meta.url));

/** Answers requests on the socket and over HTTP, and writes the file by which clients find them. */
export async function startServing(
  core: Core,
  parts: Omit<DaemonParts, 'openUrl' | 'revokeBrowsers' | 'confirmations'>,
): Promise<RunFile> {
  const { paths, log, now, events, running } = core;
  const { db } = core.store;
  const tokens = new Tokens(now);
  const confirmations = new Confirmations(
    (asked) => events.emit({ type: 'confirmation.asked', ...asked }),
    now,
  );
  const handlers = createHandlers({
    ...parts,
    confirmations,
    openUrl: () => http.openUrl(),
    revokeBrowsers: () => {
      rotate(0);
      return http.revoke();
    },
  });
  const dispatch = createDispatch({
    handlers,
    log,
    foreground: core.foreground,
    emit: (event) => events.emit(event),
    onRedacted: (counts) => db.health.tolerate(() => countRedactions(db, counts)),
    explain: (error) => explainedByStore(core, error),
  });
  const onError = (error: Error) => log.error('accepting a connection', error);
  const http = await listenOnHttp({
    tokens,
    dispatch,
    events,
    renderer: RENDERER,
    confirm: (change) => confirmations.ask(change),
    browsers: paths.browsers,
    now,
    onError,
  });
  running.add('HTTP', () => http.close());
  const socket = await listenOnSocket({ path: paths.socket, tokens, dispatch, events, onError });
  running.add('socket', () => socket.close());
  const runFile = () => runFileOf(core, parts, http.port, tokens.current);
  const run = runFile();
  writeRunFile(paths.runFile, run);
  // Hooks read how long they may wait from this file.
  const deadlines = [HOOK_KNOBS.startMs.name, HOOK_KNOBS.otherMs.name];
  core.settings.onChange((changed) => {
    if (deadlines.some((name) => changed.has(name))) writeRunFile(paths.runFile, runFile());
  });
  const rotate = (graceMs?: number) => {
    tokens.rotate(graceMs);
    writeRunFile(paths.runFile, runFile());
  };
  const rotating = rotateRepeatedly(rotate, (error) => log.error('renewing the token', error));
  running.add('token', () => rotating.stop());
  running.add('run file', () => removeRunFile(paths.runFile));
  log.info(`listening on ${paths.socket} and port ${http.port}`);
  return run;
}

const runFileOf = (
  { paths, resolve }: Core,
  { version, startedAt }: Pick<DaemonParts, 'version' | 'startedAt'>,
  port: number,
  token: string,
): RunFile => ({
  pid: process.pid,
  version,
  port,
  socket: paths.socket,
  token,
  startedAt,
  hooks: { startMs: resolve(HOOK_KNOBS.startMs), otherMs: resolve(HOOK_KNOBS.otherMs) },
});

/** The refusal that a failure of the database means for a client. */
function explainedByStore({ store: { db } }: Core, error: unknown): DaemonError | null {
  if (isBusy(error))
    return new DaemonError('conflict', 'an import is replacing everything; try again in a moment');
  const problem = db.health.note(error);
  return problem && new DaemonError('not-stored', STORAGE_SENTENCES[problem]);
}
