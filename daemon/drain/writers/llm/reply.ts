import * as z from 'zod';
import { ENTITY_TYPES, type NoteInput, RELATION_TYPES } from '#contract/entities.ts';
import { redactAll } from '../../../privacy/redact.ts';
import { categoryIn, type Mode, typeIn } from '../../modes/mode.ts';
import type { Material } from '../../writer.ts';

const name = z.string().trim().min(1).max(200);
const prose = z.string().trim().max(8_000).default('');

/** The fields a model may fill. Scope, origin and statistics are not its to decide; unknown fields are dropped. */
export const Draft = z.object({
  title: z.string().trim().min(8).max(300),
  type: z.string().max(100).default(''),
  category: z.string().max(100).default(''),
  tags: z.array(name).max(20).default([]),
  confidence: z.number().min(0).max(1).default(0.6),
  problem: prose,
  rootCause: prose,
  fix: prose,
  rule: prose,
  keyInsight: prose,
  body: prose,
  entities: z
    .array(z.object({ name, type: z.enum(ENTITY_TYPES), description: prose }))
    .max(20)
    .default([]),
  relations: z
    .array(
      z.object({
        source: name,
        target: name,
        type: z.enum(RELATION_TYPES),
        description: prose,
        strength: z.int().min(1).max(10).default(5),
      }),
    )
    .max(40)
    .default([]),
});
export type Draft = z.infer<typeof Draft>;

const Skip = z.object({ skip: z.literal(true), reason: z.string().default('') });

/** The content of an answer: a note, null for "nothing to keep", or what is wrong with it. */
export type Reading = { draft: Draft | null } | { problems: string[]; looksLikeJson: boolean };

/** Takes the JSON out of whatever a model wraps it in: a code fence, its thoughts, a sentence before and after. */
export function readReply(text: string): Reading {
  const said = text.replace(/<think>[\s\S]*?<\/think>/g, '');
  const start = said.search(/\{\s*["}]/);
  if (start < 0) return { problems: ['it holds no JSON object'], looksLikeJson: false };
  const json = said.slice(start, said.lastIndexOf('}') + 1);
  try {
    return readNote(JSON.parse(json, (_key, value: unknown) => value ?? undefined)); // models write null for what they leave out
  } catch (error) {
    return {
      problems: [`it is not valid JSON: ${(error as Error).message.slice(0, 200)}`],
      looksLikeJson: true,
    };
  }
}

function readNote(value: unknown): Reading {
  if (Skip.safeParse(value).success) return { draft: null };
  const parsed = Draft.safeParse(value);
  if (parsed.success) return { draft: parsed.data };
  return {
    problems: parsed.error.issues
      .slice(0, 5)
      .map(({ path, message }) => `${path.join('.') || 'the note'}: ${message}`),
    looksLikeJson: true,
  };
}

/** Says in a note what the draft says. A type or category the mode does not know becomes one that it does. */
export function toNote(
  draft: Draft,
  moment: Material,
  mode: Mode,
  metadata: Record<string, string>,
): NoteInput {
  const { type, category, ...said } = redactAll(draft, {}); // a model with tools may have seen what we never sent it
  return {
    ...said,
    type: mode.learningTypes.some(({ id }) => id === type) ? type : typeIn(mode, moment.type),
    category: mode.categories.some((known) => known.name === category)
      ? category
      : categoryIn(mode, `${said.title}\n${said.body}`),
    scope: moment.project === '' ? 'global' : 'project',
    metadata,
  };
}
