import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Call, createClient } from '#contract/methods.ts';
import type { Paths } from '../platform/paths.ts';
import { connectOrStart } from '../client/daemon-control.ts';
import { createMcpServer } from './server.ts';

/** Runs `reflect mcp`, which agents start in their working folder. */
export async function serveMcp(paths: Paths, cwd: string, warn: (sentence: string) => void): Promise<void> {
  let connection: Promise<Call> | null = null;
  const disconnect = () => (connection = null);
  const connected = () => (connection ??= connect());
  async function connect(): Promise<Call> {
    try {
      const open = await connectOrStart(paths, warn);
      void open.closed.then(disconnect); // the daemon was stopped or restarted; the next call reconnects
      return createClient(open.connection.send);
    } catch (error) {
      disconnect();
      throw error;
    }
  }
  serveStdio(() => createMcpServer(connected, { cwd }));
  await new Promise((resolve) => process.stdin.once('close', resolve));
}
