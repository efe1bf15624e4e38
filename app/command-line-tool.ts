import { execFile } from 'node:child_process';
import * as z from 'zod';

/** The output of `reflect install-cli --json`. */
const Written = z.object({ file: z.string(), changed: z.boolean(), onPath: z.boolean() });

/** Writes a `reflect` command that starts this app's own Node, and says in a sentence where it is. */
export function installCommandLineTool(cliEntry: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [cliEntry, 'install-cli', '--json'],
      { env: { ...env, ELECTRON_RUN_AS_NODE: '1' } },
      (error, output, complaint) => {
        if (error) {
          reject(new Error(complaint.trim() || error.message));
          return;
        }
        const { file, onPath } = Written.parse(JSON.parse(output));
        resolve(
          onPath
            ? `You can now type \`reflect\` in any terminal (${file}).`
            : `Installed as ${file}. Add its folder to your PATH to use \`reflect\` in any terminal.`,
        );
      },
    );
  });
}
