import { integer, needsRestart, text } from '../ports/knob.ts';

export const INFERENCE_KNOBS = {
  embedder: needsRestart(
    text(
      'REFLECT_EMBED_MODEL',
      'bge-small-en-v1.5',
      'The model that turns notes and questions into vectors; empty for none',
    ),
  ),
  secondEmbedder: needsRestart(
    text(
      'REFLECT_SECOND_EMBED_MODEL',
      'all-MiniLM-L6-v2',
      'A second embedding model, blended with the first; empty for none',
    ),
  ),
  crossEncoder: needsRestart(
    text(
      'REFLECT_CE_MODEL',
      '',
      'The cross-encoder: an id of the manifest or a folder with model.onnx; empty for the best one available',
    ),
  ),
  threads: needsRestart(
    integer('REFLECT_INFERENCE_THREADS', {
      default: 2,
      min: 1,
      max: 64,
      doc: 'Maximum threads of the cross-encoder',
    }),
  ),
  idleUnloadSeconds: needsRestart(
    integer('REFLECT_MODEL_IDLE_SECONDS', {
      default: 600,
      min: 0,
      max: 86_400,
      doc: 'Unload the models after this long without work; 0 keeps them',
    }),
  ),
};
