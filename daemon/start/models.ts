import { createInference, type Inference } from '../inference/inference.ts';
import { INFERENCE_KNOBS } from '../inference/knobs.ts';
import { modelsFolder } from '../platform/paths.ts';
import type { Core } from './core.ts';

/** Starts the inference; models are loaded on first use. */
export function startModels({ environment, resolve, log, events, running }: Core): Inference {
  const inference = createInference({
    modelsDir: modelsFolder(environment),
    embedder: resolve(INFERENCE_KNOBS.embedder),
    secondEmbedder: resolve(INFERENCE_KNOBS.secondEmbedder),
    crossEncoder: resolve(INFERENCE_KNOBS.crossEncoder),
    threads: resolve(INFERENCE_KNOBS.threads),
    idleUnloadMs: resolve(INFERENCE_KNOBS.idleUnloadSeconds) * 1_000,
    log: (line) => log.info(line),
    onChange: () => events.emit({ type: 'models.changed' }),
  });
  running.add('models', () => inference.close());
  return inference;
}
