import { setTimeout } from 'node:timers/promises';
import { createInference } from '../inference/inference.ts';

// Run as a process of its own: what it tries once ended the whole process. Closes so many milliseconds after the first
// work was asked for.
const [modelsDir = '', waitMs = '0'] = process.argv.slice(2);
const inference = createInference({
  modelsDir,
  embedder: 'bge-small-en-v1.5',
  secondEmbedder: 'all-MiniLM-L6-v2',
  crossEncoder: '',
  threads: 2,
  idleUnloadMs: 0,
  onChange: () => {},
  log: () => {},
});
await inference.refresh();
for (const role of ['embedder', 'second-embedder'] as const)
  void inference.embedQuery(role, 'hello').catch(() => {});
await setTimeout(Number(waitMs));
await inference.close();
