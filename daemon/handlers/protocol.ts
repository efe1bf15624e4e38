import type { Handlers } from '#contract/methods.ts';
import { openRpc } from '#contract/openrpc.ts';
import type { DaemonParts } from './daemon-parts.ts';

export function protocolHandlers({ version }: DaemonParts): Pick<Handlers, 'rpc.discover'> {
  return { 'rpc.discover': () => openRpc(version) };
}
