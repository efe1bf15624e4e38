import * as z from 'zod';
import rows from './manifest.json' with { type: 'json' };

const Source = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('hub'), url: z.url() }),
  z.strictObject({
    kind: z.literal('npm'),
    // Name and version end up on a command line that Windows runs through a shell.
    package: z.string().regex(/^(@[a-z0-9._-]+\/)?[a-z0-9._-]+$/),
    version: z.string().regex(/^[a-z0-9.+-]+$/i),
    path: z.string().min(1),
  }),
]);
export type Source = z.infer<typeof Source>;

const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/);

const ModelFile = z.strictObject({
  name,
  bytes: z.number().int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  sources: z.array(Source).min(1),
});
export type ModelFile = z.infer<typeof ModelFile>;

const common = {
  id: name,
  licence: z.string().min(1),
  maxTokens: z.number().int().min(8),
  files: z.array(ModelFile),
};

const EmbedderRow = z.strictObject({
  ...common,
  role: z.literal('embedder'),
  dims: z.number().int().positive(),
  pooling: z.enum(['cls', 'mean']),
  queryPrefix: z.string(),
  documentPrefix: z.string(),
  /** The raw cosine that means "nothing in common" and the one that means "says the same"; see README.md. */
  similarity: z
    .strictObject({ unrelated: z.number(), same: z.number() })
    .refine(({ unrelated, same }) => same > unrelated),
});
export type EmbedderRow = z.infer<typeof EmbedderRow>;

const CrossEncoderRow = z.strictObject({ ...common, role: z.literal('cross-encoder') });
export type CrossEncoderRow = z.infer<typeof CrossEncoderRow>;

const ModelRow = z.discriminatedUnion('role', [EmbedderRow, CrossEncoderRow]);
export type ModelRow = z.infer<typeof ModelRow>;

/** Every model that Reflect supports, in order of preference within a role. */
export const MANIFEST: readonly ModelRow[] = z.strictObject({ models: z.array(ModelRow) }).parse(rows).models;

/** Every model consists of these two files, whatever their names at the source. */
export const WEIGHTS = 'model.onnx';
export const TOKENIZER = 'tokenizer.json';
