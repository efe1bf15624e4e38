import { parseArgs } from 'node:util';
import { reflectHome } from './platform/paths.ts';

// SQLite's library ends an older Node without a word, so this comes before anything loads it.
if (Number(process.versions.node.split('.')[0]) < 22) {
  process.stderr.write(`reflect: the daemon needs Node 22 or newer; this is ${process.version}.\n`);
  process.exit(1);
}
const { startDaemon } = await import('./daemon.ts');

process.umask(0o077); // whatever the daemon writes is its owner's alone

const { values } = parseArgs({
  options: { demo: { type: 'boolean', default: false }, verbose: { type: 'boolean', default: false } },
});

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());

const daemon = await startDaemon(
  {
    home: reflectHome(process.env),
    environment: process.env,
    demo: values.demo,
    echo: values.verbose,
  },
  stopping.signal,
).catch((error: unknown) => {
  if (stopping.signal.aborted) process.exit(0); // asked to stop while it started
  process.stderr.write(`reflect: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

if (daemon.state === 'held') {
  process.stdout.write(
    `Reflect already runs here${daemon.holder ? ` (process ${daemon.holder.pid}, version ${daemon.holder.version})` : ''}.\n`,
  );
  process.exit(0);
}

process.on('uncaughtException', (error) => {
  daemon.log.error('uncaught', error);
  process.exitCode = 1;
  daemon.stop();
});
process.on('unhandledRejection', (error) => daemon.log.error('unhandled rejection', error));
if (stopping.signal.aborted) daemon.stop();
else stopping.signal.addEventListener('abort', () => daemon.stop());
await daemon.stopped;
