import { chromium as playwright } from '@playwright/test';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { filledOnce } from './cache.ts';

export interface Browser {
  executablePath: string;
  args: string[];
  env: Record<string, string>;
}

const WANTED = 'Install Chrome, Chromium or Edge, or name one in REFLECT_E2E_BROWSER.';

/** The first browser that can be had: named, installed, Playwright's own, then the one an npm package carries. */
export async function findBrowser(): Promise<Browser> {
  const named = process.env['REFLECT_E2E_BROWSER'];
  if (named) {
    if (!existsSync(named))
      throw new Error(`REFLECT_E2E_BROWSER names ${named}, which is not there. ${WANTED}`);
    return { executablePath: named, args: sandboxArgs(), env: {} };
  }
  const installed = installedBrowsers().find((file) => existsSync(file));
  if (installed) return { executablePath: installed, args: sandboxArgs(), env: {} };
  if (process.platform === 'linux' && process.arch === 'x64') return carriedBrowser();
  throw new Error(`No browser found for the tests. ${WANTED}`);
}

function installedBrowsers(): string[] {
  const names = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge'];
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const programFiles = [process.env['PROGRAMFILES'], process.env['PROGRAMFILES(X86)']].filter(
    (folder) => folder !== undefined,
  );
  return [
    ...(process.platform === 'win32'
      ? []
      : folders.flatMap((folder) => names.map((name) => path.join(folder, name)))),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    ...programFiles.flatMap((folder) => [
      path.join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
      path.join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
    ]),
    playwright.executablePath(),
  ];
}

/** Root has no sandbox to be put into; everyone else keeps theirs. */
const sandboxArgs = (): string[] => (process.getuid?.() === 0 ? ['--no-sandbox'] : []);

async function carriedBrowser(): Promise<Browser> {
  const require = createRequire(import.meta.url);
  const packageFolder = path.dirname(path.dirname(require.resolve('@sparticuz/chromium')));
  const { version } = require(path.join(packageFolder, 'package.json')) as { version: string };
  const folder = await filledOnce(`chromium-${version}`, async (draft) => {
    // The package unpacks into the temporary folder of the moment, with no way to name another.
    const temporary = process.env['TMPDIR'];
    process.env['TMPDIR'] = draft;
    try {
      const { default: carried } = await import('@sparticuz/chromium');
      await carried.executablePath();
    } finally {
      if (temporary === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = temporary;
    }
  });
  return {
    executablePath: path.join(folder, 'chromium'),
    // Not the package's own arguments: its --single-process crashes when a page closes.
    args: ['--no-sandbox', '--no-zygote', '--disable-background-networking'],
    env: existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: path.join(folder, 'fonts') },
  };
}
