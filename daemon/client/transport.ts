import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { DaemonError } from '#contract/errors.ts';
import type { Send } from '#contract/methods.ts';
import { readReply } from '#contract/rpc.ts';
import { RunFile } from '#contract/run-file.ts';
import { runFolder } from '#contract/run-folder.ts';

/**
 * Sends to the daemon of a Reflect home over HTTP on this machine. The run file is read for every call, so a restart of
 * the daemon is transparent.
 */
export function httpSend(home = process.env.REFLECT_HOME || join(homedir(), '.reflect')): Send {
  let id = 0;
  return async (method, params) => {
    const { port, token } = readRunFile(home);
    try {
      const response = await fetch(`http://127.0.0.1:${port}/rpc`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
      });
      return readReply(await response.json()).reply;
    } catch (error) {
      throw new DaemonError('unreachable', `${(error as Error).message}; \`reflect start\` starts it`);
    }
  };
}

function readRunFile(home: string): RunFile {
  try {
    return RunFile.parse(JSON.parse(readFileSync(join(runFolder(home), 'daemon.json'), 'utf8')));
  } catch {
    throw new DaemonError('unreachable', `no daemon is running for ${home}; \`reflect start\` starts it`);
  }
}
