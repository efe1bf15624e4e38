import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { DaemonError } from '#contract/errors.ts';
import { type Call, createClient } from '#contract/methods.ts';
import type { Paths } from '../../platform/paths.ts';
import { connectTo } from '../connect.ts';
import { startInBackground } from '../daemon-control.ts';
import { createMcpServer } from './server.ts';

/** `reflect mcp`: agents start it in the folder they work in. */
export async function serveMcp(paths: Paths, cwd: string): Promise<void> {
  let call: Call | null = null;
  async function connected(): Promise<Call> {
    if (call) return call;
    const open = (await connectTo(paths)) ?? (await startInBackground(paths).then(() => connectTo(paths)));
    if (!open) throw new DaemonError('unreachable');
    call = createClient(async (method, input) => {
      const reply = await open.connection.send(method, input);
      if (!reply.ok && reply.code === 'unreachable') call = null; // the daemon was restarted: connect anew next time
      return reply;
    });
    return call;
  }
  serveStdio(() => createMcpServer(connected, { cwd }));
  await new Promise((resolve) => process.stdin.once('close', resolve));
}
