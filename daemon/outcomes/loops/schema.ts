import * as z from 'zod';
import { ReflectionMemory } from '#contract/loops.ts';

/** The published JSON schema, generated from the schema that validates attempts. */
export function reflectionSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(ReflectionMemory, { target: 'draft-7', io: 'input' });
  return `${JSON.stringify({ $schema, title: 'reflection-memory', description: 'One failed attempt of a loop, with what it taught.', ...schema }, null, 2)}\n`;
}
