import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Call, createClient } from '#contract/methods.ts';
import type { Paths } from '../platform/paths.ts';
import { connectOrStart } from '../client/daemon-control.ts';
import { createMcpServer } from './server.ts';

/** Runs `reflect mcp`, which agents start in their working folder. */
export async function serveMcp(paths: Paths, cwd: string, warn: (sentence: string) => void): Promise<void> {
  let connection: Promise<Call> | null = null;
  let close = () => {};
  const disconnect = () => (connection = null);
  const connected = () => (connection ??= connect());
  async function connect(): Promise<Call> {
    try {
      const open = await connectOrStart(paths, warn);
      close = open.close;
      void open.closed.then(disconnect); // the daemon was stopped or restarted; the next call reconnects
      return createClient(open.connection.send);
    } catch (error) {
      disconnect();
      throw error;
    }
  }
  // An agent that ends, or is killed, leaves nothing but the end of the input; a pipe may not say that it closed.
  const agentLeft = new Promise((resolve) => process.stdin.once('end', resolve).once('close', resolve));
  serveStdio(() => createMcpServer(connected, { cwd }));
  await agentLeft;
  close();
}
