import { app, protocol, type Session } from 'electron';
import { readFile } from 'node:fs/promises';
import { CONTENT_SECURITY_POLICY, fileOfAddress, OWN_ORIGIN, OWN_SCHEME } from './own-pages.ts';

/** Must run before the app is ready. */
export function declareOwnScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: OWN_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Pages come from our own files only; nothing is asked of the network and nothing is permitted. */
export function sealSession(session: Session, folder: string): void {
  session.protocol.handle(OWN_SCHEME, ({ url }) => servePage(url, folder));
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    answer({
      cancel: !url.startsWith(`${OWN_ORIGIN}/`) && !url.startsWith('devtools:') && !url.startsWith('data:'),
    });
  });
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setSpellCheckerEnabled(false);
  session.setSpellCheckerLanguages([]);
}

async function servePage(url: string, folder: string): Promise<Response> {
  const found = fileOfAddress(url, folder);
  const body = found && (await readFile(found.file).catch(() => undefined));
  if (!found || !body) return new Response('Page not found.', { status: 404 });
  return new Response(new Uint8Array(body), {
    headers: {
      'content-type': found.type,
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  });
}

/** Whatever web contents come to be, they stay on our own page and open no other. */
export function forbidLeaving(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.on('will-frame-navigate', (event) => {
      const leaves = !event.isMainFrame || !event.url.startsWith(`${OWN_ORIGIN}/`);
      if (leaves) event.preventDefault();
    });
  });
}
