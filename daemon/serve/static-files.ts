import { createReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { pipeline } from 'node:stream';
import { fileStat } from '../platform/read-file.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.ico': 'image/x-icon',
};

export const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self' ws://127.0.0.1:* ws://localhost:*; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Serves a file of the built UI, never one outside its folder. */
export function serveFile(response: ServerResponse, folder: string, pathname: string): void {
  const file = resolveInside(folder, pathname === '/' ? '/index.html' : pathname);
  const stat = file ? fileStat(file) : null;
  if (!file || !stat?.isFile()) {
    servePage(response, 404, 'Page not found. If the UI has not been built, run <code>npm run build</code>.');
    return;
  }
  const lasting = pathname.startsWith('/assets/'); // file names contain a content hash
  response.writeHead(200, {
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    'content-length': stat.size,
    'cache-control': lasting ? 'private, max-age=31536000, immutable' : 'no-store',
    ...SECURITY_HEADERS,
  });
  // Closes the connection when the file is gone by now, or the file when the browser is.
  pipeline(createReadStream(file), response, () => {});
}

function resolveInside(folder: string, pathname: string): string | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    return null;
  }
  const file = normalize(join(folder, decoded));
  return !decoded.includes('\0') && file.startsWith(normalize(folder) + sep) ? file : null;
}

/** A page with one sentence for a person; `sentence` is not escaped, so it must never come from a request. */
export function servePage(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    ...SECURITY_HEADERS,
  });
  response.end(
    `<!doctype html><html lang="en"><title>Reflect</title><style>body{font:15px system-ui;margin:20vh auto;max-width:34em;color-scheme:light dark}</style><main><h1>Reflect</h1><p>${sentence}</p></main></html>`,
  );
}
