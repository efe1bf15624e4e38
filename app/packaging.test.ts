import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { MacPackager } from 'electron-builder';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parse } from 'yaml';

const CONFIGURATION = parse(readFileSync('electron-builder.yml', 'utf8')) as {
  productName: string;
  electronFuses: object;
  linux: {
    executableName: string;
    extraFiles: { from: string; to: string }[];
    desktop: { desktopActions: Record<string, { Exec: string }> };
  };
  nsis: { include: string };
  deb: { afterInstall: string; afterRemove: string; appArmorProfile: string };
};
/** The mark in Electron's framework before its fuses: their version and how many there are. */
const FUSES = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\x01\x0800000000', 'latin1');

let folder: string;
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'reflect-packaging-'))));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Programs that only write down how they were called. */
function stubs(...names: string[]): { bin: string; called: () => string[] } {
  const [bin, log] = [path.join(folder, 'bin'), path.join(folder, 'called')];
  mkdirSync(bin);
  for (const name of names)
    writeFileSync(path.join(bin, name), `#!/bin/sh\necho ${name} "$@" >>'${log}'\n`, { mode: 0o755 });
  return { bin, called: () => readFileSync(log, 'utf8').trim().split('\n') };
}

test.skipIf(process.platform === 'win32')(
  'macOS: the app is signed again, without an identity, after its fuses were flipped',
  async () => {
    const app = path.join(folder, `${CONFIGURATION.productName}.app`);
    const framework = path.join(app, 'Contents', 'Frameworks', 'Electron Framework.framework');
    mkdirSync(framework, { recursive: true });
    writeFileSync(path.join(framework, 'Electron Framework'), FUSES);
    const { bin, called } = stubs('codesign');
    vi.stubEnv('PATH', `${bin}${path.delimiter}${process.env['PATH']}`);
    // The packager without its project: only the step between packing and signing is taken.
    const packager = Object.create(MacPackager.prototype, {
      config: { value: CONFIGURATION },
      appInfo: { value: { productFilename: CONFIGURATION.productName } },
    }) as { doAddElectronFuses(context: object): Promise<void> };
    await packager.doAddElectronFuses({ appOutDir: folder, electronPlatformName: 'darwin' });
    const wire = await getCurrentFuseWire(app);
    expect(String.fromCharCode(Number(wire[FuseV1Options.OnlyLoadAppFromAsar]))).toBe('1');
    expect(called()).toEqual([
      expect.stringMatching(/^codesign --sign - --force .*--deep \S+\/Reflect\.app$/),
    ]);
  },
);

test.skipIf(process.platform === 'win32')(
  'Linux: the .deb puts the command line tool on the path as `reflect`, the window as `reflect-desktop`',
  () => {
    const { linux, deb, productName } = CONFIGURATION;
    expect(linux.executableName).toBe('reflect-desktop');
    expect(linux.extraFiles).toContainEqual({ from: 'app/linux/reflect', to: 'bin/reflect' });
    expect(readFileSync('app/linux/reflect', 'utf8')).toContain('app.asar/daemon/bin/reflect.cjs');
    const { bin, called } = stubs('ln', 'rm', 'chmod', 'unshare');
    const at = (script: string, ...args: string[]) =>
      execFileSync('/bin/sh', [script, ...args], { env: { PATH: bin } });
    at(deb.afterInstall, 'configure');
    expect(called().filter((command) => command.startsWith('ln'))).toEqual([
      `ln -sf /opt/${productName}/reflect-desktop /usr/bin/reflect-desktop`,
      `ln -sf /opt/${productName}/bin/reflect /usr/bin/reflect`,
    ]);
    at(deb.afterRemove, 'upgrade');
    expect(called().filter((command) => command.startsWith('rm'))).toEqual([]);
    at(deb.afterRemove, 'remove');
    expect(called().at(-1)).toBe('rm -f /usr/bin/reflect-desktop /usr/bin/reflect');
  },
);

test('Linux: the AppArmor profile is for the window of the .deb, and the desktop offers quick-search', () => {
  const { linux, deb, productName } = CONFIGURATION;
  const window = `/opt/${productName}/${linux.executableName}`;
  expect(readFileSync(deb.appArmorProfile, 'utf8')).toContain(`profile reflect-desktop ${window} `);
  expect(linux.extraFiles).toContainEqual({
    from: deb.appArmorProfile,
    to: 'resources/apparmor-profile',
  });
  const actions = Object.values(linux.desktop.desktopActions).map(({ Exec }) => Exec);
  expect(actions).toEqual([`${linux.executableName} --quick-search`]);
  expect(readFileSync('app/main.ts', 'utf8')).toContain("'--quick-search'");
});

test('the uninstallers disconnect agents and stop the daemon, and an update does neither', () => {
  const windows = readFileSync(CONFIGURATION.nsis.include, 'utf8');
  expect(windows).toMatch(
    /\$\{ifNot\} \$\{isUpdated\}[^]*reflect\.cjs" uninstall --all'[^]*reflect\.cjs" stop'/,
  );
  const debian = readFileSync('app/linux/before-remove.sh', 'utf8');
  expect(debian).toMatch(/\[ "\$1" = remove \] \|\| exit 0[^]*'uninstall --all' stop/);
});

test('CI packs and starts on every system, repeats no test, and says which Electron was tested', () => {
  const text = readFileSync('.github/workflows/ci.yml', 'utf8');
  const { jobs } = parse(text) as {
    jobs: Record<string, { strategy?: { matrix: { os: string[] } }; steps: { run?: string }[] }>;
  };
  expect(jobs['package']?.strategy?.matrix.os).toEqual([
    'macos-latest',
    'macos-15-intel',
    'windows-latest',
    'ubuntu-latest',
  ]);
  const runs = Object.values(jobs).flatMap(({ steps }) => steps.map(({ run = '' }) => run));
  expect(runs.filter((run) => run.includes('npm run smoke'))).toHaveLength(2);
  expect(runs.filter((run) => /tail .*test\.log" >> "\$GITHUB_STEP_SUMMARY"/.test(run))).toHaveLength(1);
  const suite = readFileSync('e2e/suite.ts', 'utf8');
  expect(suite).toMatch(/say\(difference\);\s+say\(`\$\{total\.passed\} passed/);
  expect(text).not.toMatch(/continue-on-error|retry/);
  expect(readFileSync('e2e/playwright.config.ts', 'utf8')).toContain('retries: 0');
  expect(readFileSync('.config/vitest.config.ts', 'utf8')).not.toMatch(/\bretry\b/);
});
