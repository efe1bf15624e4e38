import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import type { DaemonStatus } from '#contract/status.ts';
import { DaemonError } from '#contract/errors.ts';
import { createClient, isMethod, METHODS, type Output } from '#contract/methods.ts';
import { VERSION } from '../../platform/version.ts';
import { connectTo } from '../../client/connect.ts';
import { connectOrStart, stopDaemon, versionGap } from '../../client/daemon-control.ts';
import { deriveCommands, row } from '../derive.ts';
import { diagnose } from '../doctor.ts';
import { bytes, dim, plural, print, span, toJson, warn } from '../output.ts';
import { paths, show, withDaemon } from '../session.ts';
import { unknownMethod } from '../unknown-method.ts';
import { contextOf } from './agents.ts';
import { progressLine } from './capture.ts';

const STATUS_TIMEOUT = 5_000; // ms
const STOPPED = {
  stopped: 'Stopped.',
  killed: 'The daemon did not answer and was killed; nothing is lost.',
  absent: 'Reflect was not running.',
} as const;

const DAEMON_COMMANDS = [
  row({
    use: 'repair',
    method: 'documents.repair',
    flags: { backfillRelations: 'turn relations of an unknown type into relates_to' },
    print: ({ repaired, left }) =>
      print(
        repaired.length > 0
          ? `${plural(repaired.length, 'note')} can be read again.`
          : 'Nothing was repaired.',
        ...left.map(({ path, problem }) => `✗ ${path}${dim(` — ${problem}`)}`),
      ),
    fails: ({ left }) => left.length > 0,
  }),
  row({
    use: 'ui',
    method: 'ui.code',
    doc: 'Open the app in a browser',
    flags: { print: 'print the address only', quick: 'open quick search only' },
    print: ({ url }, { print: only, quick }) => {
      const address = quick ? new URL(`quick-search.html${new URL(url).search}`, url).href : url;
      print(address);
      if (!only) openBrowser(address);
    },
  }),
  row({
    use: 'sessions revoke',
    method: 'ui.revoke',
    print: ({ ended }) => print(`${plural(ended, 'session')} ended.`),
  }),
];

export function daemonCommands(program: Command): void {
  program
    .command('start')
    .description('Start the daemon in the background')
    .action(async () => {
      const before = await connectTo(paths());
      before?.close();
      const now = await connectOrStart(paths(), warn);
      now.close();
      print(before?.run.pid === now.run.pid ? 'Reflect is already running.' : 'Reflect is running.');
    });
  program
    .command('stop')
    .description(METHODS['daemon.stop'].doc)
    .action(async () => print(STOPPED[await stopDaemon(paths())]));
  program
    .command('restart')
    .description('Stop the daemon and start it again')
    .action(async () => {
      await stopDaemon(paths());
      const now = await connectOrStart(paths(), warn);
      now.close();
      print('Reflect is running.');
    });
  statusCommand(program);
  doctorCommand(program);
  deriveCommands(program, DAEMON_COMMANDS, { sessions: 'Sessions of browsers with the app open' });
  protocolCommands(program);
}

function statusCommand(program: Command): void {
  program
    .command('status')
    .description(METHODS.status.doc)
    .action(async (_flags: object, command: Command) => {
      const open = await connectTo(paths(), STATUS_TIMEOUT);
      if (!open) {
        process.exitCode = 1;
        show(command, { running: false }, () => print('Reflect is not running. `reflect start` starts it.'));
        return;
      }
      if (open.run.version !== VERSION) warn(versionGap(open.run.version));
      try {
        show(command, await createClient(open.connection.send)('status', {}), printStatus);
      } finally {
        open.close();
      }
    });
}

function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('Check the installation and suggest fixes')
    .option('--privacy', METHODS['privacy.scan'].doc.toLowerCase())
    .action(async ({ privacy }: { privacy?: boolean }, command: Command) => {
      if (privacy)
        return withDaemon(
          command,
          async (call) => {
            const scan = await call('privacy.scan', {});
            if (scan.found > 0) process.exitCode = 1;
            return scan;
          },
          printScan,
        );
      const findings = await diagnose(paths(), contextOf());
      show(command, findings, (list) =>
        list.forEach(({ ok, what, advice }) =>
          print(`${ok ? (advice ? '·' : '✓') : '✗'} ${what}${advice ? dim(` — ${advice}`) : ''}`),
        ),
      );
      if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
    });
}

/** For agents and programs. */
function protocolCommands(program: Command): void {
  program
    .command('mcp')
    .description('Run the MCP server on standard input and output')
    .action(async () => {
      const { serveMcp } = await import('../../mcp/stdio.ts'); // loaded here only, because it is large
      await serveMcp(paths(), process.cwd(), warn);
    });
  program
    .command('call')
    .argument('<method>')
    .argument('[input]', 'its input as JSON', '{}')
    .description('Call any method of the daemon')
    .action((method: string, input: string, _flags: object, command: Command) => {
      if (!isMethod(method)) throw unknownMethod(method);
      return withDaemon(
        command,
        (call) => call(method, parseJson(input) as never),
        (result) => print(toJson(result)),
      ); // the daemon validates it
    });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DaemonError('bad-input', 'The input is not valid JSON.');
  }
}

function printStatus(status: DaemonStatus): void {
  const watched = status.sources.filter(({ present }) => present);
  const redacted = Object.values(status.redactions).reduce((sum, times) => sum + times, 0);
  print(
    `Reflect ${status.version} is running: up ${span(status.startedAt)}, process ${status.pid}, ${bytes(status.rssBytes)} of memory`,
    `${plural(status.learnings, 'learning')}, ${status.queue} in the queue, ${status.attention} waiting for you`,
    `capture: ${status.capture}, ${watched.length > 0 ? watched.map(({ agent, files }) => `${agent} (${plural(files, 'file')})`).join(', ') : 'no transcripts found yet'}`,
    ...(status.progress.filesDone < status.progress.filesTotal
      ? [`reading: ${progressLine(status.progress)}`]
      : []),
    `index: ${status.index.state}, ${plural(status.index.vectors, 'vector')}${status.index.waiting > 0 ? `, ${status.index.waiting} to go` : ''}`,
    `models: ${status.models.map(({ id, state }) => `${id} ${state}`).join(', ')}`,
    `recall: p50 ${status.recall.p50Ms.toFixed(1)} ms, p95 ${status.recall.p95Ms.toFixed(1)} ms over ${plural(status.recall.count, 'recall')}`,
    ...(status.tokensSpentToday > 0
      ? [`notes: ${plural(status.tokensSpentToday, 'token')} spent today; see \`reflect writers\``]
      : []),
    ...(redacted > 0 ? [`redacted: ${plural(redacted, 'secret')}`] : []),
    dim(`home: ${status.home}`),
    ...status.notices,
  );
}

function printScan({ texts, found, findings }: Output<'privacy.scan'>): void {
  const kindsOf = (kinds: Record<string, number>) =>
    Object.entries(kinds)
      .map(([kind, times]) => plural(times, kind))
      .join(', ');
  const summary =
    found === 0
      ? `✓ ${plural(texts, 'text')} scanned, no secrets found`
      : `✗ ${found} of ${plural(texts, 'text')} contain secrets that were not redacted`;
  print(...findings.map(({ where, id, kinds }) => `✗ ${where} ${id}: ${kindsOf(kinds)}`), summary);
}

function openBrowser(url: string): void {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '', url]
        : ['xdg-open', url];
  if (!command) return;
  // A machine without a browser is not an error: the address was printed.
  spawn(command, args, { stdio: 'ignore', detached: true, windowsHide: true })
    .on('error', () => {})
    .unref();
}
