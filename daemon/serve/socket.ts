import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { rpcReply } from '#contract/rpc.ts';
import type { Send } from '#contract/methods.ts';
import type { EventHub } from './events.ts';
import { keepServing } from './keep-serving.ts';
import { LARGEST_MESSAGE, RpcSession } from './session.ts';
import { sameToken } from './token.ts';

export interface SocketOptions {
  path: string;
  token: string;
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
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
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

function serve(socket: Socket, { token, dispatch, events }: SocketOptions): void {
  const send = (message: object) => {
    if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
  };
  const session = new RpcSession({
    dispatch,
    events,
    send,
    allows: (request) => sameToken(request.token, token),
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
