import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WEIGHTS } from '../../models/manifest.ts';
import { createInference, type EmbedderRole, type Inference } from '../inference/inference.ts';
import { INFERENCE_KNOBS } from '../inference/knobs.ts';
import { tokensFromBytes, tokensToBytes, type TokenVectors } from '../inference/token-vectors.ts';
import { modelsFolder } from '../platform/paths.ts';
import { floats } from '../store/search/cached-vectors.ts';
import { VectorCache } from './vector-cache.ts';

const PILOT = fileURLToPath(new URL('../../../shared/models/ce-pilot', import.meta.url));

/**
 * The cross-encoder to measure with: the configured one, otherwise the pilot of development machines; '' lets the
 * manifest decide.
 */
export function crossEncoderChoice(environment: NodeJS.ProcessEnv): string {
  return environment.REFLECT_CE_MODEL || (existsSync(join(PILOT, WEIGHTS)) ? PILOT : '');
}

export const EMBEDDER_ROLES: readonly EmbedderRole[] = ['embedder', 'second-embedder'];

/** The product's inference with its defaults; throws without an embedder, because then there is nothing to measure. */
export async function openInference(
  environment: NodeJS.ProcessEnv,
  crossEncoder = crossEncoderChoice(environment),
  idleUnloadMs = 0,
): Promise<Inference> {
  const inference = createInference({
    modelsDir: modelsFolder(environment),
    embedder: INFERENCE_KNOBS.embedder.default,
    secondEmbedder: INFERENCE_KNOBS.secondEmbedder.default,
    crossEncoder,
    threads: INFERENCE_KNOBS.threads.default,
    idleUnloadMs,
    onChange: () => {},
    log: () => {},
  });
  await inference.refresh();
  if (inference.available('embedder')) return inference;
  await inference.close();
  throw new Error('the embedder is not available; `node models/fetch.ts` downloads it');
}

/** Raised when the same text gets another vector, such as by another prefix. */
const VERSIONS = { documents: 'v2', queries: 'v4', 'document-tokens': 'v3', 'query-tokens': 'v3' };

/** The product's models, with every vector cached between runs. */
export interface BenchModels {
  inference: Inference;
  document(role: EmbedderRole, text: string): Promise<Float32Array>;
  query(role: EmbedderRole, text: string): Promise<Float32Array>;
  /** Empty for a model without token vectors. */
  documentTokens(role: EmbedderRole, text: string): Promise<Buffer>;
  queryTokens(role: EmbedderRole, text: string): Promise<TokenVectors>;
}

export const openModels = async (crossEncoder = ''): Promise<BenchModels> =>
  cachedModels(await openInference(process.env, crossEncoder));

export function cachedModels(inference: Inference): BenchModels {
  const caches = new Map<string, VectorCache>();
  const cacheOf = (role: EmbedderRole, kind: keyof typeof VERSIONS) => {
    const model = inference.available(role);
    if (!model) throw new Error(`the ${role} is not available; \`node models/fetch.ts\` downloads it`);
    const file = join(modelsFolder(process.env), '..', 'bench', `${model.id}-${kind}.${VERSIONS[kind]}.bin`);
    const cache = caches.get(file) ?? new VectorCache(file);
    caches.set(file, cache);
    return cache;
  };
  return {
    inference,
    document: async (role, text) =>
      floats(
        await cacheOf(role, 'documents').get(text, async (missing) =>
          bytes(await inference.embedDocument(role, missing)),
        ),
      ),
    query: async (role, text) =>
      floats(
        await cacheOf(role, 'queries').get(text, async (missing) =>
          bytes(await inference.embedQuery(role, missing)),
        ),
      ),
    documentTokens: (role, text) =>
      cacheOf(role, 'document-tokens').get(text, async (missing) =>
        stored((await inference.readDocument(role, missing)).tokens),
      ),
    queryTokens: async (role, text) =>
      tokensFromBytes(
        await cacheOf(role, 'query-tokens').get(text, async (missing) =>
          stored((await inference.readQuery(role, missing)).tokens),
        ),
      ),
  };
}

const bytes = (vector: Float32Array) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
const stored = (tokens: TokenVectors | null) => (tokens ? tokensToBytes(tokens) : Buffer.alloc(0));
