import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { MANIFEST } from '../../models/manifest.ts';
import { bundledFolder, cacheFolder } from '../../models/model-folders.ts';
import { createInference, type Inference, type InferenceOptions } from './inference.ts';

export const MODELS_DIR = cacheFolder(process.env);

/** The reason why tests with real weights cannot run, or null when they can. */
export const NO_WEIGHTS = MANIFEST.filter(({ role }) => role === 'embedder').every(({ id, files }) =>
  files.every(({ name }) =>
    [bundledFolder(process.env), MODELS_DIR].some((dir) => dir && existsSync(join(dir, id, name))),
  ),
)
  ? null
  : 'the embedders are not available; `node models/fetch.ts` downloads them';

const pilot = fileURLToPath(new URL('../../../shared/models/ce-pilot', import.meta.url));
const inCache = existsSync(join(MODELS_DIR, 'ms-marco-MiniLM-L-6-v2', 'model.onnx'));
/** The cross-encoder to test with: the chosen one, the manifest's, or the pilot of development machines, else null. */
export const CROSS_ENCODER =
  process.env.REFLECT_CE_MODEL || (inCache ? 'ms-marco-MiniLM-L-6-v2' : existsSync(pilot) ? pilot : null);

const SHIPPED: InferenceOptions = {
  modelsDir: MODELS_DIR,
  embedder: 'bge-small-en-v1.5',
  secondEmbedder: 'all-MiniLM-L6-v2',
  crossEncoder: '',
  threads: 2,
  idleUnloadMs: 0,
  onChange: () => {},
  log: () => {},
};

/** The models as shipped, closed when the test has finished. */
export function openInference(changes: Partial<InferenceOptions> = {}): Inference {
  const inference = createInference({ ...SHIPPED, ...changes });
  onTestFinished(() => inference.close());
  return inference;
}

const shared = new Map<string, Inference>();

/**
 * Models shared by all tests of a worker, since loading takes longer than most tests. Tests must not close them; they
 * end with the worker.
 */
export function sharedInference(crossEncoder: string): Inference {
  const opened = shared.get(crossEncoder) ?? createInference({ ...SHIPPED, crossEncoder });
  shared.set(crossEncoder, opened);
  return opened;
}
