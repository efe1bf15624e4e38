import * as z from 'zod';
import { type ErrorCode, DaemonError, isErrorCode, rpcCode } from './errors.ts';
import type { Reply } from './methods.ts';

/** JSON-RPC 2.0: one object per line on the socket, per message on WebSocket, per body on HTTP. */
export const RpcRequest = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.unknown().optional(),
  /** Our only addition to the standard, because a socket has no headers for the token. */
  token: z.string().optional(),
});
export type RpcRequest = z.infer<typeof RpcRequest>;
export type RpcId = Exclude<RpcRequest['id'], undefined>;

/** Sent by the daemon to subscribers; every other message is a reply. */
export const EVENT_METHOD = 'event';
export const SUBSCRIBE_METHOD = 'events.subscribe';

export function rpcReply(id: RpcId, reply: Reply): object {
  if (reply.ok) return { jsonrpc: '2.0', id, result: reply.value };
  const { message } = new DaemonError(reply.code, reply.detail);
  return {
    jsonrpc: '2.0',
    id,
    error: { code: rpcCode(reply.code), message, data: { code: reply.code, detail: reply.detail } },
  };
}

const RpcResponse = z.object({
  id: z.union([z.string(), z.number(), z.null()]),
  result: z.unknown().optional(),
  error: z
    .object({ data: z.object({ code: z.string(), detail: z.string().optional() }).optional() })
    .optional(),
});

export function readReply(json: unknown): { id: RpcId; reply: Reply } {
  const { id, result, error } = RpcResponse.parse(json);
  if (!error) return { id, reply: { ok: true, value: result } };
  const code: ErrorCode = isErrorCode(error.data?.code) ? error.data.code : 'internal';
  return { id, reply: { ok: false, code, detail: error.data?.detail } };
}
