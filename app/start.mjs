// Run by `npm start`: sets up on whatever Node there is, then continues in TypeScript on a recent one.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { ROOT, SetUpError, setUp } from './setup.mjs';
import { say, whenOrphaned } from './terminal.mjs';

const USAGE = 'Usage: npm start [-- --demo]     --demo: a temporary home with a demo knowledge base';

const args = process.argv.slice(2);
const unknown = args.find((argument) => argument !== '--demo' && argument !== '--help');
if (unknown !== undefined || args.includes('--help')) {
  say(unknown === undefined ? USAGE : `Unknown option ${unknown}. ${USAGE}`);
  process.exit(unknown === undefined ? 0 : 2);
}

try {
  const { node } = await setUp();
  const child = spawn(node, [path.join(ROOT, 'app', 'launch.ts'), ...args], { stdio: 'inherit' });
  // The child stops what it started and then ends; we only wait for it. Ctrl-C reaches it without our help.
  process.on('SIGINT', () => undefined);
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  whenOrphaned(() => (process.platform === 'win32' ? process.exit(1) : child.kill())); // the child sees that we are gone
  child.once('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
} catch (problem) {
  if (!(problem instanceof SetUpError)) throw problem;
  say(problem.message);
  process.exit(1);
}
