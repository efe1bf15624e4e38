import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WEIGHTS } from '../../models/manifest.ts';
import { createInference, type Inference } from '../inference/inference.ts';
import { INFERENCE_KNOBS } from '../inference/knobs.ts';
import { modelsFolder } from '../platform/paths.ts';

const PILOT = fileURLToPath(new URL('../../../shared/models/ce-pilot', import.meta.url));

/** The cross-encoder to measure with: the chosen one, else the pilot of development machines; '' lets the manifest decide. */
export function crossEncoderChoice(environment: NodeJS.ProcessEnv): string {
  return environment.REFLECT_CE_MODEL || (existsSync(join(PILOT, WEIGHTS)) ? PILOT : '');
}

export const EMBEDDER_SLOTS = ['embedder', 'second-embedder'] as const;

/** The product's inference with its defaults; throws when there is no embedder, for then there is nothing to measure. */
export async function openInference(environment: NodeJS.ProcessEnv): Promise<Inference> {
  const inference = createInference({
    modelsDir: modelsFolder(environment),
    embedder: INFERENCE_KNOBS.embedder.default,
    secondEmbedder: INFERENCE_KNOBS.secondEmbedder.default,
    crossEncoder: crossEncoderChoice(environment),
    threads: INFERENCE_KNOBS.threads.default,
    idleUnloadMs: 0,
    onChange: () => {},
    log: () => {},
  });
  await inference.refresh();
  if (inference.available('embedder')) return inference;
  await inference.close();
  throw new Error('the embedder is not here; `node models/fetch.ts` brings it');
}
