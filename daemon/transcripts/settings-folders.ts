import { join } from 'node:path';

/** Where editors keep their settings on Linux, macOS and Windows. */
export const settingsFolders = (home: string, environment: NodeJS.ProcessEnv): string[] => [
  environment.XDG_CONFIG_HOME || join(home, '.config'),
  join(home, 'Library', 'Application Support'),
  join(home, 'AppData', 'Roaming'),
];
