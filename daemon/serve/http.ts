import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { type ErrorCode } from '#contract/errors.ts';
import { keepServing } from './keep-serving.ts';
import { KeptSessions } from './kept-sessions.ts';
import { rpcReply } from '#contract/rpc.ts';
import type { Send } from '#contract/methods.ts';
import type { EventHub } from './events.ts';
import type { McpDoor } from '../mcp/http.ts';
import { fromBrowser } from './from-browser.ts';
import { LARGEST_BACKLOG, LARGEST_MESSAGE, readRequest, RpcSession } from './session.ts';
import { SECURITY_HEADERS, serveFile, servePage } from './static-files.ts';
import { BrowserAccess, type Tokens } from './token.ts';
import { isBrowser, RPC_HINT, WELCOME, WELCOME_PAGE, WELCOME_PATH } from './welcome.ts';

// Imported, it would load Node's WebSocket and fetch as well, 60 ms of every start.
const { createServer } = process.getBuiltinModule('node:http');

export interface HttpOptions {
  tokens: Tokens;
  dispatch: Send;
  events: EventHub;
  renderer: string;
  now: () => number;
  /** Asks a person about a change that a page may not make by itself. */
  confirm: (change: string) => Promise<boolean>;
  /** The file that keeps port and sessions of browsers. */
  browsers: string;
  /** A failure of the server itself, such as too many open files; it goes on. */
  onError: (error: Error) => void;
}

export interface HttpDoor {
  port: number;
  /** A link that opens the UI in one browser, once. */
  openUrl(): string;
  /** Ends every session of a browser and returns how many tabs there were. */
  revoke(): number;
  close(): Promise<void>;
}

/** The only page besides the app that a code may open; a free choice would allow open redirects. */
const QUICK_SEARCH = '/quick-search.html';

/** Node's own check for unfinished requests runs every 30 s at rest; on the loopback address one an hour is enough. */
const connectionsCheckingInterval = 3_600_000; // ms

const STATUS: Partial<Record<ErrorCode, number>> = {
  unauthorized: 401,
  forbidden: 403,
  'too-large': 413,
  'bad-json': 400,
  'bad-request': 400,
  'not-found': 404,
};

/**
 * HTTP and WebSocket, on the loopback address only; on the port of the daemon before if it is free, so that tabs find
 * it again.
 */
export async function listenOnHttp(options: HttpOptions): Promise<HttpDoor> {
  const kept = new KeptSessions(options.browsers, options.now);
  const access = new BrowserAccess(options.now, kept);
  const server = createServer({ connectionsCheckingInterval }, (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const webSockets = new WebSocketServer({ noServer: true, maxPayload: LARGEST_MESSAGE });
  const listenOn = (port: number) =>
    keepServing(server, () => server.listen(port, '127.0.0.1'), options.onError);
  await listenOn(kept.formerPort).catch(() => listenOn(0)); // another program has it by now
  const { port } = server.address() as AddressInfo; // listening on TCP, so it is one
  kept.listeningOn(port);
  const cookieName = `reflect_${port}`; // cookies are shared between ports of one host

  const isProgram = (request: IncomingMessage) =>
    options.tokens.allows(request.headers.authorization?.replace(/^Bearer /, ''));
  const mayRead = (request: IncomingMessage) =>
    isProgram(request) || access.knows(cookieOf(request, cookieName));
  /** Browsers send the origin with every WebSocket; the cookie of another port's page comes without our secret. */
  const isPage = (request: IncomingMessage) =>
    request.headers.origin !== undefined &&
    access.admits(
      cookieOf(request, cookieName),
      request.headers['sec-websocket-protocol']?.split(/,\s*/)[0]?.replace(/^reflect\./, ''),
    );

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isLocal(request, port)) {
      refuse(response, 'forbidden');
      return;
    }
    const url = new URL(request.url ?? '/', `http://127.0.0.1:${port}`);
    if (url.pathname === '/rpc') return answerCall(request, response);
    if (url.pathname === '/mcp') return answerMcp(request, response, url);
    if (request.method !== 'GET') {
      refuse(response, 'not-found', RPC_HINT);
      return;
    }
    const code = url.searchParams.get('code');
    if (code !== null) {
      letIn(request, response, code, url.pathname);
      return;
    }
    if (url.pathname === WELCOME_PATH) {
      servePage(response, 200, WELCOME_PAGE);
      return;
    }
    if (!mayRead(request)) {
      if (url.pathname === '/' && !isBrowser(request)) sendJson(response, 401, WELCOME);
      else servePage(response, 401, WELCOME_PAGE);
      return;
    }
    serveFile(response, options.renderer, url.pathname);
  }

  function letIn(request: IncomingMessage, response: ServerResponse, code: string, page: string): void {
    const session = access.redeem(code, cookieOf(request, cookieName));
    if (!session) {
      servePage(
        response,
        403,
        'This link was used or has expired. Run <code>reflect ui</code> for a new one.',
      );
      return;
    }
    response.writeHead(302, {
      location: `${page === QUICK_SEARCH ? page : '/'}?session=${session.secret}`,
      'set-cookie': `${cookieName}=${session.cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${Math.ceil(session.lifeMs / 1_000)}`,
      ...SECURITY_HEADERS,
    });
    response.end();
  }

  async function answerCall(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      refuse(response, 'bad-request', RPC_HINT);
      return;
    }
    if (!isProgram(request)) {
      refuse(response, 'unauthorized');
      return;
    }
    const body = await readBody(request);
    if (body === null) {
      refuse(response, 'too-large');
      return;
    }
    const call = readRequest(body);
    if (!('method' in call)) {
      sendJson(response, 400, rpcReply(call.id, call.reply));
      return;
    }
    const reply = await options.dispatch(call.method, call.params);
    sendJson(response, 200, rpcReply(call.id ?? null, reply));
  }

  // Loaded with the first MCP client, because it is large and most daemons never serve one.
  let mcp: Promise<McpDoor> | null = null;

  async function answerMcp(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    if (!isProgram(request)) {
      refuse(response, 'unauthorized');
      return;
    }
    const body = request.method === 'POST' ? await readBody(request) : null;
    if (request.method === 'POST' && body === null) {
      refuse(response, 'too-large');
      return;
    }
    mcp ??= import('../mcp/http.ts').then(({ createMcpDoor }) => createMcpDoor(options.dispatch));
    return (await mcp).answer(request, response, url, body);
  }

  server.on('upgrade', (request, socket, head) => {
    const byProgram = isProgram(request);
    if (request.url !== '/ws' || !isLocal(request, port) || !(byProgram || isPage(request)))
      return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      const send = (message: object) => {
        if (webSocket.bufferedAmount > LARGEST_BACKLOG) webSocket.terminate();
        else webSocket.send(JSON.stringify(message));
      };
      // The upgrade request was authorized, so messages need no token of their own.
      const session = new RpcSession({
        dispatch: byProgram ? options.dispatch : fromBrowser(options.dispatch, options.confirm),
        events: options.events,
        send,
        // A page is asked again with every message: its session may have ended since.
        allows: () => byProgram || isPage(request),
      });
      webSocket.on('message', (data) => void session.receive(String(data)));
      webSocket.on('close', () => session.close());
      webSocket.on('error', () => webSocket.terminate());
    });
  });

  return {
    port,
    revoke: () => access.revoke(),
    openUrl: () => `http://127.0.0.1:${port}/?code=${access.newCode()}`,
    close: async () => {
      await (await mcp)?.close();
      await close(server, webSockets);
    },
  };
}

/** Rejects DNS rebinding: a site that resolves its name to this machine still sends its own Host and Origin. */
function isLocal({ headers }: IncomingMessage, port: number): boolean {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  return (
    hosts.includes(headers.host ?? '') &&
    (headers.origin === undefined || hosts.includes(headers.origin.replace(/^http:\/\//, '')))
  );
}

function cookieOf({ headers }: IncomingMessage, name: string): string | undefined {
  return headers.cookie
    ?.split(/;\s*/)
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}

/**
 * A body that is too large is read to its end and dropped, because an earlier answer would be lost with the connection.
 */
const LARGEST_DROPPED = 16 * LARGEST_MESSAGE; // bytes

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_DROPPED) return null;
    if (size > LARGEST_MESSAGE) chunks.length = 0;
    else chunks.push(chunk);
  }
  return size > LARGEST_MESSAGE ? null : Buffer.concat(chunks).toString('utf8');
}

function refuse(response: ServerResponse, code: ErrorCode, detail?: string): void {
  sendJson(response, STATUS[code] ?? 400, rpcReply(null, { ok: false, code, detail }));
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...SECURITY_HEADERS })
    .end(JSON.stringify(body));
}

function close(server: Server, webSockets: WebSocketServer): Promise<void> {
  for (const client of webSockets.clients) client.terminate();
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
