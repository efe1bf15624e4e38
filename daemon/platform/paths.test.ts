import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentsHome, compiledFolder, modelsFolder, pathsOf, reflectHome } from './paths.ts';

test('the home is where REFLECT_HOME says, else in the home folder', () => {
  expect(reflectHome({ REFLECT_HOME: '/elsewhere' })).toBe('/elsewhere');
  expect(reflectHome({ REFLECT_HOME: '' })).toBe(join(homedir(), '.reflect'));
  expect(agentsHome({ REFLECT_AGENTS_HOME: '/agents' })).toBe('/agents');
  expect(agentsHome({})).toBe(homedir());
});

test('all paths of a home are inside it', () => {
  const { home, ...rest } = pathsOf('/home/ada/.reflect');
  for (const path of Object.values(rest)) expect(path.startsWith(home)).toBe(true);
});

test('a home whose path is too long for a socket gets its own short one', () => {
  const deep = `/home/${'deep/'.repeat(40)}`;
  expect(Buffer.byteLength(pathsOf(deep).socket)).toBeLessThanOrEqual(100);
  expect(pathsOf(deep).socket).not.toBe(pathsOf(`${deep}er`).socket);
});

test('on Windows the socket is a named pipe, a different one for every home', () => {
  const pipe = (home: string) => pathsOf(home, 'win32').socket;
  expect(pipe('C:\\Users\\Ada & Co 100%\\.reflect')).toMatch(/^\\\\\.\\pipe\\reflect-[0-9a-f]{16}$/);
  expect(pipe('C:\\a')).not.toBe(pipe('C:\\b'));
});

test('weights and compiled code are where each system keeps what can be made again', () => {
  const env = { LOCALAPPDATA: '/local', XDG_CACHE_HOME: '/cache' };
  expect(modelsFolder(env, 'linux')).toBe(join('/cache', 'reflect', 'models'));
  expect(modelsFolder(env, 'win32')).toBe(join('/local', 'reflect', 'models'));
  expect(compiledFolder(env, 'darwin')).toBe(join(homedir(), 'Library', 'Caches', 'reflect', 'compiled'));
  expect(modelsFolder({ ...env, REFLECT_MODELS_DIR: '/mine' }, 'linux')).toBe('/mine');
});
