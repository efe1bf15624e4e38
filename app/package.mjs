// Run by `npm run package`: sets up on whatever Node there is, then packages for this system.
import { pack } from './pack.mjs';
import { SetUpError, setUp } from './setup.mjs';
import { say } from './terminal.mjs';

try {
  const { node } = await setUp();
  const { ok } = await pack(node, process.argv.slice(2), {
    electronFolder: process.env['ELECTRON_OVERRIDE_DIST_PATH'],
    stdio: 'inherit',
  });
  process.exitCode = ok ? 0 : 1;
} catch (problem) {
  if (!(problem instanceof SetUpError)) throw problem;
  say(problem.message);
  process.exitCode = 1;
}
