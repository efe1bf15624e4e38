// Run by `npm test`: sets up on whatever Node there is, then continues in TypeScript on a recent one.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { ROOT, SetUpError, setUp, withNode } from '../app/setup.mjs';
import { say, whenOrphaned } from '../app/terminal.mjs';

try {
  const { node } = await setUp();
  const suite = [path.join(ROOT, 'e2e', 'suite.ts'), ...process.argv.slice(2)];
  const child = spawn(node, suite, { cwd: ROOT, env: withNode(node), stdio: 'inherit' });
  process.on('SIGINT', () => undefined); // reaches the child too, which then ends
  process.on('SIGTERM', () => child.kill());
  whenOrphaned(() => child.kill());
  child.once('exit', (code) => process.exit(code ?? 1));
} catch (problem) {
  if (!(problem instanceof SetUpError)) throw problem;
  say(`${problem.message}\n0 passed, 1 failed, 0 skipped`);
  process.exit(1);
}
