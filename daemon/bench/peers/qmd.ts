import { fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LEFT_OUT, type Peer } from './peer.ts';
import type { QmdAnswer, QmdQuestion } from './qmd-process.ts';

/**
 * A search of markdown files. By meaning it searches with models of its own, which it fetches from a model hub. In a
 * process of its own, because it brings another SQLite along, and two in one process end it.
 */
export const qmd: Peer = {
  name: 'qmd, words only',
  packages: { '@tobilu/qmd': '2.8.3' },
  overrides: { 'node-llama-cpp': LEFT_OUT }, // 700 MB that run those models
  byMeaning: false,
  most: 10_000, // it reads a file for each note
  async open(modules, folder, documents) {
    mkdirSync(join(folder, 'notes'));
    documents.forEach(({ text }, at) => writeFileSync(join(folder, 'notes', `${at}.md`), text));
    const server = fork(fileURLToPath(new URL('qmd-process.ts', import.meta.url)), [modules, folder], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const waiting = new Map<number, (paths: string[]) => void>();
    await new Promise<void>((resolve, reject) => {
      server.once('exit', () => reject(new Error('it has ended')));
      server.on('message', ({ ticket, paths }: QmdAnswer) =>
        ticket === undefined ? resolve() : waiting.get(ticket)?.(paths),
      );
    });
    let last = 0;
    return {
      async search(text, _vector, limit) {
        const ticket = ++last;
        const paths = await new Promise<string[]>((resolve) => {
          waiting.set(ticket, resolve);
          server.send({ ticket, text, limit } satisfies QmdQuestion);
        });
        waiting.delete(ticket);
        return paths.map((path) => documents[Number(/(\d+)\.md$/.exec(path)?.[1])]?.id ?? '');
      },
      close: () => void server.kill(),
    };
  },
};
