// The process of qmd.ts: `node qmd-process.ts MODULES FOLDER` indexes `FOLDER/notes`, then answers what it is sent.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface QmdQuestion {
  ticket: number;
  text: string;
  limit: number;
}
/** The first, without a ticket, says that all is indexed. */
export interface QmdAnswer {
  ticket?: number;
  paths: string[];
}

interface Qmd {
  createStore(options: object): Promise<{
    update(): Promise<unknown>;
    searchLex(query: string, options: object): Promise<Array<{ displayPath: string }>>;
  }>;
}

const [modules = '', folder = ''] = process.argv.slice(2);
const main = join(modules, 'node_modules', '@tobilu', 'qmd', 'dist', 'index.js');
const { createStore } = (await import(pathToFileURL(main).href)) as Qmd; // the functions that are called here
const config = { collections: { notes: { path: join(folder, 'notes'), pattern: '*.md' } } };
const store = await createStore({ dbPath: join(folder, 'qmd.db'), config });
await store.update();

const reply = (answer: QmdAnswer) => process.send?.(answer);
process.on('message', ({ ticket, text, limit }: QmdQuestion) => {
  void store
    .searchLex(text, { limit })
    .then((found) => reply({ ticket, paths: found.map(({ displayPath }) => displayPath) }));
});
process.on('disconnect', () => process.exit());
reply({ paths: [] });
