import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LEFT_OUT, type Peer } from './peer.ts';

const PACKAGE = '@tobilu/qmd';

interface Qmd {
  createStore(options: object): Promise<{
    update(): Promise<unknown>;
    searchLex(query: string, options: object): Promise<Array<{ displayPath: string }>>;
    close(): Promise<void>;
  }>;
}

/** A search of markdown files. By meaning it searches with models of its own, which it fetches from a model hub. */
export const qmd: Peer = {
  name: 'qmd, words only',
  packages: { [PACKAGE]: '2.8.3' },
  overrides: { 'node-llama-cpp': LEFT_OUT }, // 700 MB that run those models
  byMeaning: false,
  most: 10_000, // it reads a file for each note
  async open(modules, folder, documents) {
    const main = join(modules, 'node_modules', PACKAGE, 'dist', 'index.js');
    const { createStore } = (await import(pathToFileURL(main).href)) as Qmd;
    const path = join(folder, 'notes');
    mkdirSync(path);
    documents.forEach(({ text }, at) => writeFileSync(join(path, `${at}.md`), text));
    const config = { collections: { notes: { path, pattern: '*.md' } } };
    const store = await createStore({ dbPath: join(folder, 'qmd.db'), config });
    await store.update();
    return {
      async search(text, _vector, limit) {
        const found = await store.searchLex(text, { limit });
        return found.map(
          ({ displayPath }) => documents[Number(/(\d+)\.md$/.exec(displayPath)?.[1])]?.id ?? '',
        );
      },
      close: () => void store.close(),
    };
  },
};
