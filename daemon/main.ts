import module from 'node:module'; // as a whole: an older Node has not all of its names
import { parseArgs } from 'node:util';
import { compiledFolder, reflectHome } from './platform/paths.ts';
import { settleUserHome } from './platform/user-home.ts';
import { limitYoungGeneration } from './platform/young-generation.ts';
import { messageOf } from '#contract/errors.ts';

// SQLite's library ends an older Node without a word, so this comes before anything loads it.
if (Number(process.versions.node.split('.')[0]) < 22) {
  process.stderr.write(`reflect: the daemon needs Node 22 or newer; this is ${process.version}.\n`);
  process.exit(1);
}
process.umask(0o077); // whatever the daemon writes is its owner's alone
limitYoungGeneration();
settleUserHome(process.env);
const home = reflectHome(process.env);
// Compiled code is kept from one start to the next: compiling took half of the time to the first answer. The sources
// are hundreds of files, which would take longer to keep than they save.
const isBuilt = !import.meta.url.endsWith('.ts');
if (isBuilt) module.enableCompileCache(compiledFolder(process.env));
const { startDaemon } = await import('./daemon.ts');

const { values } = parseArgs({
  options: { demo: { type: 'boolean', default: false }, verbose: { type: 'boolean', default: false } },
});

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());

/** Runs one daemon to its end; true when it is to be started again, e.g. with a restored database. */
async function run(): Promise<boolean> {
  const daemon = await startDaemon(
    {
      home,
      environment: process.env,
      demo: values.demo,
      echo: values.verbose,
      process,
    },
    stopping.signal,
  ).catch((error: unknown) => {
    if (stopping.signal.aborted) process.exit(0); // asked to stop while it started
    process.stderr.write(`reflect: ${messageOf(error)}\n`);
    process.exit(1);
  });
  if (daemon.state === 'held') {
    process.stdout.write(
      `Reflect already runs here${daemon.holder ? ` (process ${daemon.holder.pid}, version ${daemon.holder.version})` : ''}.\n`,
    );
    process.exit(0);
  }
  if (isBuilt) module.flushCompileCache();
  if (stopping.signal.aborted) daemon.stop();
  else stopping.signal.addEventListener('abort', daemon.stop);
  const startsAgain = await daemon.stopped;
  return startsAgain && !stopping.signal.aborted;
}

while (await run());
