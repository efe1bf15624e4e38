import * as z from 'zod';
import { ReflectionMemory } from '#contract/loops.ts';

/** What is published as a JSON schema is what is checked: one is made from the other. */
export function reflectionSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(ReflectionMemory, { target: 'draft-7', io: 'input' });
  return `${JSON.stringify({ $schema, title: 'reflection-memory', description: 'One failed attempt of a loop, with what it taught.', ...schema }, null, 2)}\n`;
}
