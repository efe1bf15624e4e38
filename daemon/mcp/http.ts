import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createClient, type Send } from '#contract/methods.ts';
import { createMcpServer } from './server.ts';

export interface McpDoor {
  /** Answers an authorized request; the body is passed as it was received. */
  answer(request: IncomingMessage, response: ServerResponse, url: URL, body: string | null): Promise<void>;
  close(): Promise<void>;
}

/** MCP over streamable HTTP. A client passes its working folder in the URL: `/mcp?cwd=…`. */
export function createMcpDoor(dispatch: Send): McpDoor {
  const call = createClient(dispatch);
  const handler = createMcpHandler(({ requestInfo }) =>
    createMcpServer(() => Promise.resolve(call), {
      cwd: requestInfo ? (new URL(requestInfo.url).searchParams.get('cwd') ?? '') : '',
    }),
  );
  return {
    async answer(request, response, url, body) {
      const disconnected = new AbortController();
      response.once('close', () => disconnected.abort());
      const {
        status,
        headers,
        body: answer,
      } = await handler.fetch(toRequest(request, url, body, disconnected.signal));
      response.writeHead(status, Object.fromEntries(headers));
      if (!answer) return void response.end();
      // Clients may disconnect before the end of a response.
      await pipeline(Readable.fromWeb(answer), response).catch(() => response.destroy());
    },
    close: () => handler.close(),
  };
}

function toRequest(
  { method = 'GET', headers }: IncomingMessage,
  url: URL,
  body: string | null,
  signal: AbortSignal,
): Request {
  const flat = Object.entries(headers).flatMap(([name, value]): Array<[string, string]> =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  return new Request(url, { method, headers: flat, signal, ...(body === null ? {} : { body }) });
}
