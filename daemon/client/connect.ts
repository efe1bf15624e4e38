import { connect, type Socket } from 'node:net';
import { Connection } from '#contract/connection.ts';
import type { RunFile } from '#contract/run-file.ts';
import { readRunFile } from '../platform/lock.ts';
import type { Paths } from '../platform/paths.ts';

export interface OpenConnection {
  connection: Connection;
  /** The daemon at the other end. */
  run: RunFile;
  /** Settles when the connection ends, whichever side closed it. */
  closed: Promise<void>;
  close: () => void;
}

/** Connects to the daemon of a home; null when none answers. */
export async function connectTo(paths: Paths, timeoutMs = 60_000): Promise<OpenConnection | null> {
  const run = readRunFile(paths.runFile);
  if (!run) return null;
  try {
    return wire(await open(run), run, timeoutMs);
  } catch {
    return null; // the run file is left over from a daemon that is gone
  }
}

function open({ socket: path }: RunFile): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket)).once('error', reject);
  });
}

function wire(socket: Socket, run: RunFile, timeoutMs: number): OpenConnection {
  const connection = new Connection(
    { send: (message) => socket.write(`${message}\n`) },
    { token: run.token, timeoutMs },
  );
  let pending = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = (pending + chunk).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) connection.receive(line);
  });
  socket.on('error', () => socket.destroy());
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  void closed.then(() => connection.closed());
  return { connection, run, closed, close: () => socket.destroy() };
}
