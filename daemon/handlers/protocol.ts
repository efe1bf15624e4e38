import type { Handlers } from '#contract/methods.ts';
import { openRpc } from '#contract/openrpc.ts';
import type { DaemonParts } from './daemon-parts.ts';

export function protocolHandlers({ version }: DaemonParts) {
  let described: ReturnType<typeof openRpc> | null = null; // it takes tens of milliseconds and never changes
  return { 'rpc.discover': () => (described ??= openRpc(version)) } satisfies Partial<Handlers>;
}
