import { homedir } from 'node:os';
import path from 'node:path';

/** Paths of the pages and programs the app uses, all built side by side under `dist/`. */
interface Locations {
  /** The knowledge base and `run/daemon.json`. */
  home: string;
  /** Set when the user chose a home of their own: a second home is a second app, with its own window and lock. */
  userData: string | undefined;
  daemonEntry: string;
  cliEntry: string;
  renderer: string;
  preload: string;
  icons: string;
}

export function locate(builtApp: string, env: NodeJS.ProcessEnv): Locations {
  const dist = path.dirname(builtApp);
  const home = path.resolve(env['REFLECT_HOME'] || path.join(homedir(), '.reflect'));
  return {
    home,
    userData: env['REFLECT_HOME'] ? path.join(home, 'app') : undefined,
    daemonEntry: path.join(dist, 'daemon', 'main.js'),
    cliEntry: path.join(dist, 'daemon', 'cli.js'),
    renderer: path.join(dist, 'renderer'),
    preload: path.join(builtApp, 'preload.cjs'),
    icons: path.join(builtApp, 'icons'),
  };
}
