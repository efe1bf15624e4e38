import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { missingBuild, type NativeLibrary } from './native-libraries.ts';

const SYSTEMS = ['darwin', 'linux', 'win32'].flatMap((system) =>
  ['arm64', 'x64'].map((arch) => [system, arch] as const),
);
const known = (library: NativeLibrary) =>
  SYSTEMS.filter(([system, arch]) => missingBuild(library, system, arch) === null).map((each) =>
    each.join('-'),
  );

test('the known builds are those that the packages bring', () => {
  const onnx = 'node_modules/onnxruntime-node/bin/napi-v6';
  expect(known('onnxruntime-node')).toEqual(
    readdirSync(onnx).flatMap((system) => readdirSync(join(onnx, system)).map((arch) => `${system}-${arch}`)),
  );
  const { optionalDependencies } = JSON.parse(
    readFileSync('node_modules/sqlite-vec/package.json', 'utf8'),
  ) as { optionalDependencies: Record<string, string> };
  expect(known('sqlite-vec')).toEqual(
    Object.keys(optionalDependencies)
      .map((name) => name.replace('sqlite-vec-', '').replace('windows', 'win32'))
      .sort(),
  );
});

test('a missing build is said with its consequence', () => {
  expect(missingBuild('onnxruntime-node', 'darwin', 'x64')).toBe(
    'onnxruntime-node has no build for darwin-x64: models cannot run, and search matches words only',
  );
  expect(missingBuild('sqlite-vec', 'win32', 'arm64')).toContain('slower');
});

test('only SQLite and the models run native code, because a fault in it ends the whole process', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const isNative = (name: string) =>
    readdirSync(join('node_modules', name), { recursive: true, encoding: 'utf8' }).some((file) =>
      /(?:^|[\\/])binding\.gyp$|\.node$/.test(file),
    );
  // The extension of sqlite-vec comes in a package for each system.
  expect(Object.keys(dependencies).filter(isNative)).toEqual(['better-sqlite3', 'onnxruntime-node']);
});
