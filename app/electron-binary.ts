import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const EXECUTABLE: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};
const DOWNLOAD_WITHIN_MS = 300_000;

/** The official Electron, or the one the environment names; undefined when it has not been fetched. */
export function installedElectron(root: string, env: NodeJS.ProcessEnv): string | undefined {
  const executable = EXECUTABLE[process.platform] ?? 'electron';
  const named = env['ELECTRON_OVERRIDE_DIST_PATH'];
  const packageFolder = path.join(root, 'node_modules', 'electron');
  const pathFile = path.join(packageFolder, 'path.txt');
  const folders = [
    ...(named ? [named] : []),
    // Written last by the package's own installer, so a download that was cut short does not count.
    ...(existsSync(pathFile) && readFileSync(pathFile, 'utf8') === executable
      ? [path.join(packageFolder, 'dist')]
      : []),
  ];
  return folders.map((folder) => path.join(folder, executable)).find((file) => existsSync(file));
}

/** The package has no install script: its binary is fetched when first asked for, where the network allows it. */
export function fetchElectron(root: string): boolean {
  const installer = path.join(root, 'node_modules', 'electron', 'install.js');
  if (!existsSync(installer)) return false;
  return (
    spawnSync(process.execPath, [installer], { stdio: 'ignore', timeout: DOWNLOAD_WITHIN_MS }).status === 0
  );
}
