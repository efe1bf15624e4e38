import { settleUserHome } from '../platform/user-home.ts';
import { runCommandLine } from './run.ts';

settleUserHome(process.env);
// The reader of a pipe may close it early, as `head` does.
process.stdout.on('error', () => process.exit(0));
// Sliced here: under Electron, which only serves as Node, commander would slice it differently.
process.exitCode = await runCommandLine(process.argv.slice(2));
