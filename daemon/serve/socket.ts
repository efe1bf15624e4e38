import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { DaemonError } from '#contract/errors.ts';
import { rpcReply } from '#contract/rpc.ts';
import { isOurFolder } from '#contract/run-folder.ts';
import type { Send } from '#contract/methods.ts';
import type { EventHub } from './events.ts';
import { keepServing } from './keep-serving.ts';
import { LARGEST_BACKLOG, LARGEST_MESSAGE, RpcSession } from './session.ts';
import type { Tokens } from './token.ts';

interface SocketOptions {
  path: string;
  tokens: Tokens;
  dispatch: Send;
  events: EventHub;
  /** A failure of the server itself, such as too many open files; it goes on. */
  onError: (error: Error) => void;
}

/** The unix socket or named pipe: one JSON-RPC message per line. */
export async function listenOnSocket(options: SocketOptions): Promise<{ close(): Promise<void> }> {
  const { path } = options;
  const isFile = process.platform !== 'win32';
  if (isFile) {
    ownFolder(dirname(path));
    rmSync(path, { force: true }); // left over: we hold the lock, so its daemon is gone
  }
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(socket, options);
  });
  await keepServing(server, () => server.listen(path), options.onError);
  if (isFile) chmodSync(path, 0o600);
  return {
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/**
 * Makes the folder of the socket. Whoever owns it could put a socket of their own there and be sent the token, so it
 * must be ours.
 */
export function ownFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (!isOurFolder(found))
    throw new DaemonError(
      'internal',
      `${folder} belongs to someone else; remove it or set a shorter REFLECT_HOME`,
    );
  if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

function serve(socket: Socket, { tokens, dispatch, events }: SocketOptions): void {
  const send = (message: object) => {
    if (socket.writableLength > LARGEST_BACKLOG) socket.destroy();
    else if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
  };
  // A client that has shown the token once may go on when it is rotated: nobody else can send on its connection.
  let isKnown = false;
  const session = new RpcSession({
    dispatch,
    events,
    send,
    allows: (request) => (isKnown ||= tokens.allows(request.token)),
  });
  let pending = '';
  socket.setEncoding('utf8');
  socket.on('close', () => session.close());
  socket.on('data', (chunk: string) => {
    const lines = (pending + chunk).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) if (line.trim()) void session.receive(line);
    if (pending.length > LARGEST_MESSAGE) {
      send(rpcReply(null, { ok: false, code: 'too-large' }));
      socket.end();
    }
  });
}
