import type { Server, Socket } from 'node:net';

/**
 * Starts a server that no peer can stop: every connection has an error listener from its first moment to its last, also
 * one that is upgraded or refused half-way, and the server has one of its own. Rejects when it cannot listen.
 */
export function keepServing(
  server: Server,
  listen: () => void,
  onError: (error: Error) => void,
): Promise<void> {
  server.on('connection', (socket: Socket) => socket.on('error', () => socket.destroy()));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      server.on('error', onError);
      resolve();
    });
    listen();
  });
}
