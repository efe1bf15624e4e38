import { connect, type Socket } from 'node:net';
import { Connection } from '#contract/connection.ts';
import type { RunFile } from '#contract/run-file.ts';
import { readRunFile } from '../platform/lock.ts';
import type { Paths } from '../platform/paths.ts';

export interface OpenConnection {
  connection: Connection;
  close(): void;
}

/** Connects to the daemon of a home; null when none answers. */
export async function connectTo(paths: Paths, timeoutMs = 60_000): Promise<OpenConnection | null> {
  const run = readRunFile(paths.runFile);
  if (!run) return null;
  try {
    return wire(await open(run), run.token, timeoutMs);
  } catch {
    return null; // the file outlived its daemon
  }
}

function open({ socket: path }: RunFile): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket)).once('error', reject);
  });
}

function wire(socket: Socket, token: string, timeoutMs: number): OpenConnection {
  const connection = new Connection({ send: (message) => socket.write(`${message}\n`) }, { token, timeoutMs });
  let pending = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = (pending + chunk).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) connection.receive(line);
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => connection.closed());
  return { connection, close: () => socket.destroy() };
}
