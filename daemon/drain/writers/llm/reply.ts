import * as z from 'zod';
import { ENTITY_TYPES, type NoteInput, RELATION_TYPES } from '#contract/entities.ts';
import { redactAll } from '../../../privacy/redact.ts';
import { categoryIn, type Mode, typeIn } from '../../modes/mode.ts';
import type { Material, Worthless } from '../../writer.ts';

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

const Skip = z.object({ skip: z.literal(true), reason: z.string().trim().max(500).default('') });

/** A model's decision about one moment: a note, or why there should be none. */
export type Verdict = Draft | Worthless;

/** The content of an answer, or what is wrong with it. */
export type Reading<T> = { value: T } | { problems: string[]; looksLikeJson: boolean };

/** The verdict in an answer about one moment. */
export function readReply(text: string): Reading<Verdict> {
  return readJson(text, /\{\s*["}]/, readVerdict);
}

/** Reads an answer that is one JSON object of this shape. */
export const readAs =
  <T>(schema: z.ZodType<T>) =>
  (text: string): Reading<T> =>
    readJson(text, /\{\s*["}]/, (json) => {
      const parsed = schema.safeParse(json);
      return parsed.success ? { value: parsed.data } : problem(...problemsIn(parsed.error));
    });

const problemsIn = ({ issues }: z.ZodError) =>
  issues.slice(0, 5).map(({ path, message }) => `${path.join('.') || 'the answer'}: ${message}`);

const Numbered = z.looseObject({ moment: z.coerce.number().int() });
const Verdicts = z.union([z.array(z.unknown()), z.object({ verdicts: z.array(z.unknown()) })]);

/**
 * The verdicts in an answer about several moments, by number. A verdict that cannot be read is left out: its moment is
 * asked about alone.
 */
export function readVerdicts(text: string): Reading<Map<number, Verdict>> {
  return readJson(text, /[[{]\s*["{}\]]/, (json) => {
    const list = Verdicts.safeParse(json);
    if (!list.success) return problem('it is not a list of verdicts');
    const items = Array.isArray(list.data) ? list.data : list.data.verdicts;
    const read = items.flatMap((item): Array<[number, Verdict]> => {
      const numbered = Numbered.safeParse(item);
      const verdict = readVerdict(item);
      return numbered.success && 'value' in verdict ? [[numbered.data.moment, verdict.value]] : [];
    });
    return read.length > 0 ? { value: new Map(read) } : problem('it has no verdict that can be used');
  });
}

const problem = (...problems: string[]) => ({ problems, looksLikeJson: true });

/** Takes the JSON out of whatever a model wraps it in: a code fence, its thoughts, a sentence before and after. */
function readJson<T>(text: string, begins: RegExp, read: (json: unknown) => Reading<T>): Reading<T> {
  const said = text.replace(/<think>[\s\S]*?<\/think>/g, '');
  const start = said.search(begins);
  if (start < 0) return { problems: ['it holds no JSON object'], looksLikeJson: false };
  const end = Math.max(said.lastIndexOf('}'), said.lastIndexOf(']'));
  try {
    return read(JSON.parse(said.slice(start, end + 1), (_key, value: unknown) => value ?? undefined)); // models write null for what they leave out
  } catch (error) {
    return problem(`it is not valid JSON: ${(error as Error).message.slice(0, 200)}`);
  }
}

function readVerdict(value: unknown): Reading<Verdict> {
  const skip = Skip.safeParse(value);
  if (skip.success) return { value: { worthless: skip.data.reason || 'not worth keeping' } };
  const parsed = Draft.safeParse(value);
  if (parsed.success) return { value: parsed.data };
  return problem(...problemsIn(parsed.error));
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
