import type { IncomingMessage } from 'node:http';

const DOCS = 'docs/protocol.md';

export const RPC_HINT = `Programs POST JSON-RPC 2.0 to /rpc with the token of run/daemon.json; see ${DOCS}.`;

/** For a program that found the port: what answers here and how to talk to it. Holds nothing that needs a token. */
export const WELCOME = {
  name: 'Reflect',
  about: 'A local memory for coding agents. It answers programs of this user on this machine.',
  endpoints: { rpc: 'POST /rpc', webSocket: '/ws', mcp: '/mcp' },
  token:
    'Send `authorization: Bearer <token>`. Port and token are in run/daemon.json of the Reflect home, ~/.reflect by default.',
  discover: 'The method rpc.discover describes all others; so does `reflect schema`.',
  docs: DOCS,
  people: 'Run `reflect ui` to open the app.',
};

/** Where a tab without a secret of its own goes. */
export const WELCOME_PATH = '/welcome';

/** For a person in a browser that has no cookie yet, or in a tab that no link opened. */
export const WELCOME_PAGE = `Reflect opens with a one-time link. Run <code>reflect ui</code> to get one; it opens one tab. Programs talk to <code>/rpc</code>, as <code>${DOCS}</code> describes.`;

export const isBrowser = ({ headers }: IncomingMessage): boolean =>
  headers.accept?.includes('text/html') ?? false;
