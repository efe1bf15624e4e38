import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Call, createClient } from '#contract/methods.ts';
import type { Paths } from '../platform/paths.ts';
import { connectOrStart } from '../client/daemon-control.ts';
import { createMcpServer } from './server.ts';

/** `reflect mcp`: agents start it in the folder they work in. */
export async function serveMcp(paths: Paths, cwd: string, warn: (sentence: string) => void): Promise<void> {
  let line: Promise<Call> | null = null;
  const hangUp = () => (line = null);
  const connected = () => (line ??= dial());
  async function dial(): Promise<Call> {
    try {
      const open = await connectOrStart(paths, warn);
      void open.closed.then(hangUp); // the daemon was stopped or restarted: the next call connects anew
      return createClient(open.connection.send);
    } catch (error) {
      hangUp();
      throw error;
    }
  }
  serveStdio(() => createMcpServer(connected, { cwd }));
  await new Promise((resolve) => process.stdin.once('close', resolve));
}
