import * as z from 'zod';
import { inner } from './schema.ts';

/** `similarity_threshold` and `lambda_` as the contract spells them: `similarityThreshold`, `lambda`. */
const camelCase = (name: string): string =>
  name.replace(/_+$/, '').replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Renames snake_case fields to the contract's own names, because Python and many JSON clients write them that way. A
 * name the contract itself spells with underscores stays, and so do the keys of records, which are data. Given twice, a
 * field is left to be refused.
 */
export function withFieldNames(schema: z.ZodType, value: unknown): unknown {
  const type = inner(schema);
  if (type instanceof z.ZodArray && Array.isArray(value))
    return value.map((each) => withFieldNames(type.element as z.ZodType, each));
  if (!(type instanceof z.ZodObject) || typeof value !== 'object' || value === null || Array.isArray(value))
    return value;
  const { shape } = type as z.ZodObject<Record<string, z.ZodType>>;
  const isField = (name: string) => Object.hasOwn(shape, name);
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const known = isField(name) || !isField(camelCase(name)) ? name : camelCase(name);
      const taken = known !== name && Object.hasOwn(value, known);
      return [taken ? name : known, withFieldNames(shape[known] ?? z.unknown(), field)];
    }),
  );
}
