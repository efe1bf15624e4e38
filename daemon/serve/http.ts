import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
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

interface HttpOptions {
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

interface HttpDoor {
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
  const server = createServer({ connectionsCheckingInterval });
  const listenOn = (port: number) =>
    keepServing(server, () => server.listen(port, '127.0.0.1'), options.onError);
  await listenOn(kept.formerPort).catch(() => listenOn(0)); // another program has it by now
  const { port } = server.address() as AddressInfo; // listening on TCP, so it is one
  kept.listeningOn(port);
  return new ListeningDoor(options, server, port, new BrowserAccess(options.now, kept));
}

class ListeningDoor implements HttpDoor {
  readonly port: number;
  readonly #options: HttpOptions;
  readonly #server: Server;
  readonly #access: BrowserAccess;
  readonly #webSockets = new WebSocketServer({ noServer: true, maxPayload: LARGEST_MESSAGE });
  /** Loaded with the first MCP client, because it is large and most daemons never serve one. */
  #mcp: Promise<McpDoor> | null = null;

  constructor(options: HttpOptions, server: Server, port: number, access: BrowserAccess) {
    this.port = port;
    this.#options = options;
    this.#server = server;
    this.#access = access;
    server.on('request', (request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  openUrl(): string {
    return `http://127.0.0.1:${this.port}/?code=${this.#access.newCode()}`;
  }

  revoke(): number {
    return this.#access.revoke();
  }

  async close(): Promise<void> {
    await (await this.#mcp)?.close();
    for (const client of this.#webSockets.clients) client.terminate();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #isProgram({ headers }: IncomingMessage): boolean {
    return this.#options.tokens.allows(headers.authorization?.replace(/^Bearer /, ''));
  }

  #mayRead(request: IncomingMessage): boolean {
    return this.#isProgram(request) || this.#access.knows(this.#cookieOf(request));
  }

  /** Browsers send the origin with every WebSocket; the cookie of another port's page comes without our secret. */
  #isPage(request: IncomingMessage): boolean {
    const { origin, 'sec-websocket-protocol': protocols } = request.headers;
    const secret = protocols?.split(/,\s*/)[0]?.replace(/^reflect\./, '');
    return origin !== undefined && this.#access.admits(this.#cookieOf(request), secret);
  }

  /** Cookies are shared between ports of one host. */
  get #cookieName(): string {
    return `reflect_${this.port}`;
  }

  #cookieOf({ headers }: IncomingMessage): string | undefined {
    const start = `${this.#cookieName}=`;
    return headers.cookie
      ?.split(/;\s*/)
      .find((pair) => pair.startsWith(start))
      ?.slice(start.length);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `http://127.0.0.1:${this.port}`);
    const code = url.searchParams.get('code');
    if (!isLocal(request, this.port)) refuse(response, 'forbidden');
    else if (url.pathname === '/rpc') await this.#answerCall(request, response);
    else if (url.pathname === '/mcp') await this.#answerMcp(request, response, url);
    else if (request.method !== 'GET') refuse(response, 'not-found', RPC_HINT);
    else if (code !== null) this.#letIn(request, response, code, url.pathname);
    else if (url.pathname === WELCOME_PATH) servePage(response, 200, WELCOME_PAGE);
    else if (this.#mayRead(request)) serveFile(response, this.#options.renderer, url.pathname);
    else if (url.pathname === '/' && !isBrowser(request)) sendJson(response, 401, WELCOME);
    else servePage(response, 401, WELCOME_PAGE);
  }

  #letIn(request: IncomingMessage, response: ServerResponse, code: string, page: string): void {
    const session = this.#access.redeem(code, this.#cookieOf(request));
    if (!session) return servePage(response, 403, EXPIRED);
    response.writeHead(302, {
      location: `${page === QUICK_SEARCH ? page : '/'}?session=${session.secret}`,
      'set-cookie': `${this.#cookieName}=${session.cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${Math.ceil(session.lifeMs / 1_000)}`,
      ...SECURITY_HEADERS,
    });
    response.end();
  }

  async #answerCall(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') refuse(response, 'bad-request', RPC_HINT);
    else if (!this.#isProgram(request)) refuse(response, 'unauthorized');
    else {
      const body = await readBody(request);
      const call = body === null ? null : readRequest(body);
      if (call === null) refuse(response, 'too-large');
      else if (!('method' in call)) sendJson(response, 400, rpcReply(call.id, call.reply));
      else {
        const reply = await this.#options.dispatch(call.method, call.params);
        sendJson(response, 200, rpcReply(call.id ?? null, reply));
      }
    }
  }

  async #answerMcp(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const hasBody = request.method === 'POST';
    if (!this.#isProgram(request)) refuse(response, 'unauthorized');
    else {
      const body = hasBody ? await readBody(request) : null;
      const { dispatch } = this.#options;
      if (hasBody && body === null) refuse(response, 'too-large');
      else {
        this.#mcp ??= import('../mcp/http.ts').then(({ createMcpDoor }) => createMcpDoor(dispatch));
        await (await this.#mcp).answer(request, response, url, body);
      }
    }
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const byProgram = this.#isProgram(request);
    if (request.url !== '/ws' || !isLocal(request, this.port) || !(byProgram || this.#isPage(request))) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const { dispatch, events, confirm } = this.#options;
    // A page's session may have ended since: it is asked again with every message, and gets no more events.
    const isLetIn = () => byProgram || this.#isPage(request);
    this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      // The upgrade request was authorized, so messages need no token of their own.
      const session = new RpcSession({
        dispatch: byProgram ? dispatch : fromBrowser(dispatch, confirm),
        events,
        send: (message) => {
          if (webSocket.bufferedAmount > LARGEST_BACKLOG) webSocket.terminate();
          else if (!('method' in message) || isLetIn()) webSocket.send(JSON.stringify(message));
        },
        allows: isLetIn,
      });
      webSocket.on('message', (data) => void session.receive(String(data)));
      webSocket.on('close', () => session.close());
      webSocket.on('error', () => webSocket.terminate());
    });
  }
}

const EXPIRED = 'This link was used or has expired. Run <code>reflect ui</code> for a new one.';

/** Rejects DNS rebinding: a site that resolves its name to this machine still sends its own Host and Origin. */
function isLocal({ headers }: IncomingMessage, port: number): boolean {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  return (
    hosts.includes(headers.host ?? '') &&
    (headers.origin === undefined || hosts.includes(headers.origin.replace(/^http:\/\//, '')))
  );
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
