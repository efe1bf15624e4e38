import * as z from 'zod';

const AS_SENT = z.registry<{ asSent: true }>();

/**
 * Marks a text as an address rather than prose, such as a path or the id of a learning. It is never redacted, because a
 * changed address points nowhere; so a method may only look it up, never store it.
 */
export function asSent<S extends z.ZodType>(schema: S): S {
  AS_SENT.add(schema, { asSent: true });
  return schema;
}

export const isAsSent = (schema: z.ZodType): boolean => AS_SENT.get(schema)?.asSent === true;

/** The schema inside wrappers that make it optional or give it a default. */
export function inner(schema: z.ZodType): z.ZodType {
  const wraps =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodCatch;
  return wraps ? inner(schema.unwrap() as z.ZodType) : schema;
}

/** The same schema, but unknown fields are dropped instead of refused: a newer daemon may send more. */
export function tolerant(schema: z.ZodType): z.ZodType {
  const rebuilt = (parts: object) => schema.clone({ ...schema.def, ...parts }); // of the same class
  const each = (part: unknown) => tolerant(part as z.ZodType);
  if (schema instanceof z.ZodObject) {
    const shape = Object.fromEntries(Object.entries(schema.shape).map(([key, field]) => [key, each(field)]));
    const isStrict = schema.def.catchall instanceof z.ZodNever;
    return rebuilt({ shape, catchall: isStrict ? undefined : schema.def.catchall });
  }
  if (schema instanceof z.ZodArray) return rebuilt({ element: each(schema.element) });
  if (schema instanceof z.ZodRecord) return rebuilt({ valueType: each(schema.valueType) });
  if (schema instanceof z.ZodUnion) return rebuilt({ options: schema.options.map(each) });
  if (inner(schema) !== schema) return rebuilt({ innerType: each((schema as z.ZodOptional).unwrap()) });
  return schema;
}
