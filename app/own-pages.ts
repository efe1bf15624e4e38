import path from 'node:path';

export const OWN_SCHEME = 'app';
export const OWN_ORIGIN = `${OWN_SCHEME}://reflect`;

/** Everything comes from our own files; the daemon is reached over IPC, never from the page. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The file a page's address means, or undefined when it lies outside our own pages. */
export function fileOfAddress(address: string, folder: string): { file: string; type: string } | undefined {
  const url = URL.parse(address);
  if (url === null || `${url.protocol}//${url.host}` !== OWN_ORIGIN) return undefined;
  let wanted: string;
  try {
    wanted = decodeURIComponent(url.pathname);
  } catch {
    return undefined; // "%zz" is no path
  }
  if (wanted.includes('\0')) return undefined;
  const file = path.resolve(folder, `.${wanted === '/' ? '/index.html' : wanted}`);
  const type = TYPES[path.extname(file)];
  // The address parser folds plain "..", but not the encoded form that decodes to one here.
  if (!file.startsWith(path.resolve(folder) + path.sep) || type === undefined) return undefined;
  return { file, type };
}
