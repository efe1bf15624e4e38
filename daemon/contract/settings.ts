import * as z from 'zod';
import { count } from './fields.ts';

export const KnobState = z.strictObject({
  name: z.string(),
  type: z.enum(['flag', 'number', 'integer', 'text', 'choice']),
  doc: z.string(),
  port: z.string(),
  default: z.unknown(),
  value: z.unknown(),
  source: z.enum(['default', 'home', 'project', 'environment', 'call']),
  min: z.number().nullable(),
  max: z.number().nullable(),
  choices: z.array(z.string()).nullable(),
  /** A project may set it in its own `.reflect/config.toml`. */
  perProject: z.boolean(),
  /** Read only when the daemon starts. */
  needsRestart: z.boolean(),
  /** The daemon still runs with the value from before. */
  awaitsRestart: z.boolean(),
});
export type KnobState = z.infer<typeof KnobState>;

/** A setting after it was set, with what keeps the new value from being used at once. */
export const SetKnob = KnobState.extend({ notices: z.array(z.string()) });
export type SetKnob = z.infer<typeof SetKnob>;

export const PortState = z.strictObject({
  seed: z.string(),
  what: z.string(),
  built: z.boolean(),
  knobs: z.array(KnobState.pick({ name: true, value: true })),
  module: z.string().nullable(),
  proof: z.string().nullable(),
});
export type PortState = z.infer<typeof PortState>;

export const ModelState = z.strictObject({
  id: z.string(),
  role: z.enum(['embedder', 'cross-encoder']),
  licence: z.string(),
  bytes: count,
  /** `wrong-hash`: the file differs from the manifest and is never loaded. */
  state: z.enum(['missing', 'fetching', 'wrong-hash', 'ready', 'loaded', 'failed']),
  /** The embedder role or reranking job this model has now, if any. */
  slot: z.enum(['embedder', 'second-embedder', 'cross-encoder']).nullable(),
  fetched: count,
  detail: z.string(),
});
export type ModelState = z.infer<typeof ModelState>;
