import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { daemonEnvironment } from '#contract/daemon-environment.ts';
import { createClient } from '#contract/methods.ts';
import { runFolder } from '#contract/run-folder.ts';
import { messageOf } from '#contract/errors.ts';
import { DaemonConnection } from './daemon-connection.ts';
import { DaemonProcess, findDaemon } from './daemon-process.ts';
import { chooseHome } from './demo-home.ts';
import { fetchElectron, installedElectron } from './electron-binary.ts';
import { locate } from './locations.ts';
import { stopProcess } from './platform/stop.ts';
import { ROOT } from './setup.mjs';
import { say, whenOrphaned } from './terminal.mjs';
import { VERSION } from './version.ts';

const GIVES_UP_WITHIN_MS = 15_000;

const interrupted = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  whenOrphaned(resolve);
});

const flags = process.argv.slice(2);
const { env, uiCommand, remove } = chooseHome(flags, process.env);
const hasDisplay = process.platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);

try {
  const electron = hasDisplay ? await findElectron() : undefined;
  if (!electron || !(await showDesktop(electron))) await serveBrowser();
} catch (problem) {
  say(messageOf(problem));
  process.exitCode = 1;
} finally {
  await remove();
}

async function findElectron(): Promise<string | undefined> {
  const installed = installedElectron(ROOT, env);
  if (installed) return installed;
  say('Downloading Electron, only this once.');
  if (fetchElectron(ROOT)) return installedElectron(ROOT, env);
  say('Electron is not available here, so Reflect opens in the browser.');
  return undefined;
}

/** False when Electron cannot run here, for example because a system library is missing. */
async function showDesktop(electron: string): Promise<boolean> {
  const startedAt = Date.now();
  // Chromium refuses to run as root inside its sandbox.
  const sandbox = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const child = spawn(electron, [ROOT, ...sandbox, ...flags], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint = `${complaint}${chunk.toString()}`.slice(-2_000)));
  const ended = new Promise<number>((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (code) => resolve(code ?? 1));
  });
  say('Reflect is open. Quit from its tray icon, or press Ctrl-C here.');
  let isInterrupted = false;
  void interrupted.then(() => {
    isInterrupted = true;
    void stopProcess(child, process.platform, async () => {
      // A second start tells the first to quit, and ends.
      spawn(electron, [ROOT, '--quit'], { env, stdio: 'ignore' }).once('error', () => undefined);
      return true;
    });
  });
  const failedToShow = (await ended) !== 0 && !isInterrupted && Date.now() - startedAt < GIVES_UP_WITHIN_MS;
  if (failedToShow)
    say(`Electron cannot start, so Reflect opens in the browser. Its output:\n${complaint.trim()}`);
  return !failedToShow;
}

async function serveBrowser(): Promise<void> {
  const { home, daemonEntry } = locate(path.join(ROOT, 'dist', 'app'), env);
  if (!existsSync(daemonEntry)) throw new Error('The daemon has not been built.');
  const adopted = await findDaemon(home);
  const daemon = new DaemonProcess({
    home,
    version: VERSION,
    command: process.execPath,
    args: [daemonEntry, ...flags],
    env: { ...daemonEnvironment(env), REFLECT_HOME: home },
    errorLog: path.join(runFolder(home), 'start.log'),
  });
  const connection = new DaemonConnection(() => daemon.ensure());
  const call = createClient(connection.send);
  const failedToStart = new Promise<never>((_resolve, reject) => void connection.keepOpen(reject));
  try {
    const { url } = await Promise.race([call('ui.code', {}), failedToStart]);
    if (adopted.state === 'running') {
      say(`Reflect is already running. Open it with this one-time address:\n\n  ${url}\n`);
      return;
    }
    say(
      `Reflect is running. Open it with this one-time address (\`${uiCommand}\` shows another):\n\n  ${url}\n\nPress Ctrl-C to stop.`,
    );
    if (hasDisplay) openBrowser(url);
    connection.onLink(({ connected }) => {
      if (connected) say('The daemon crashed and was restarted. Open tabs reconnect.');
    });
    await Promise.race([
      interrupted,
      stoppedElsewhere(connection, home).then(() => say('Reflect was stopped by another program.')),
    ]);
  } finally {
    connection.close();
    await daemon.stop();
  }
}

/** `reflect stop`, from another terminal, ends this command too. */
function stoppedElsewhere(connection: DaemonConnection, home: string): Promise<void> {
  return new Promise((resolve) => {
    const look = async () => {
      if ((await findDaemon(home)).state === 'absent') resolve();
    };
    connection.onLink(({ connected }) => {
      if (!connected) void look();
    });
  });
}

const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** The address is also on screen, so a desktop without an opener loses nothing. */
function openBrowser(url: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const opener = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  opener.once('error', () => undefined);
  opener.unref();
}
