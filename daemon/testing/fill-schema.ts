import * as z from 'zod';
import { inner } from '#contract/schema.ts';

/** The texts to write into a request. */
export interface Texts {
  /** For a text that takes anything. */
  free(path: string): string;
  /** For a text of a certain form, such as an id or a date: the first that its schema takes. */
  formed: readonly string[];
}

const ANYTHING = 'Ä, or else!';

/** Values that a schema takes, with a text in every place that holds one; one value for each form it may have. */
export function fillSchema(schema: z.ZodType, texts: Texts, path = ''): unknown[] {
  const type = inner(schema);
  const at = (key: string) => (path === '' ? key : `${path}.${key}`);
  if (type instanceof z.ZodString || type instanceof z.ZodISODateTime) {
    return type.safeParse(ANYTHING).success
      ? [texts.free(path)]
      : texts.formed.filter((text) => type.safeParse(text).success).slice(0, 1);
  }
  if (type instanceof z.ZodNumber) return [1, 0].filter((each) => type.safeParse(each).success).slice(0, 1);
  if (type instanceof z.ZodBoolean) return [false];
  if (type instanceof z.ZodEnum) return [type.options[0]];
  if (type instanceof z.ZodLiteral) return [[...type.values][0]];
  if (type instanceof z.ZodArray) return [fillSchema(type.element as z.ZodType, texts, at('0'))];
  if (type instanceof z.ZodUnion)
    return type.options.flatMap((option) => fillSchema(option as z.ZodType, texts, path));
  if (type instanceof z.ZodRecord) {
    const value = fillSchema(type.valueType as z.ZodType, texts, at('value'))[0];
    return [{ [texts.free(at('key'))]: value }];
  }
  if (type instanceof z.ZodObject) return fillObject(type, texts, at);
  return [{ deep: [texts.free(at('deep'))], [texts.free(at('key'))]: true }];
}

function fillObject(type: z.ZodObject, texts: Texts, at: (key: string) => string): unknown[] {
  const whole = Object.fromEntries(
    Object.entries(type.shape).map(([key, field]) => [
      key,
      fillSchema(field as z.ZodType, texts, at(key))[0],
    ]),
  );
  if (type.safeParse(whole).success) return [whole];
  // Some fields exclude each other: each time another one is left out.
  const parts = Object.keys(whole).map((left) =>
    Object.fromEntries(Object.entries(whole).filter(([key]) => key !== left)),
  );
  return parts.filter((part) => type.safeParse(part).success);
}

/** Where a value holds this text, as `note.tags.0`, with the text of each place. */
export function textsIn(value: unknown, path = ''): Array<[path: string, text: string]> {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => textsIn(each, path === '' ? key : `${path}.${key}`));
}

/** The same value with another text in one place. */
export function withText(value: unknown, path: string, text: string): unknown {
  if (path === '') return text;
  const [key = '', ...rest] = path.split('.');
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<
    string,
    unknown
  >;
  copy[key] = withText(copy[key], rest.join('.'), text);
  return copy;
}
