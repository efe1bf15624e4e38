import type * as z from 'zod';

/** A value this window keeps between visits. If storage is denied, the fallback is used. */
export function remembered<T>(name: string, schema: z.ZodType<T>, fallback: T): T {
  try {
    return schema.parse(JSON.parse(localStorage.getItem(`reflect.${name}`) ?? 'null'));
  } catch {
    return fallback;
  }
}

export function remember(name: string, value: unknown): void {
  try {
    localStorage.setItem(`reflect.${name}`, JSON.stringify(value));
  } catch {
    // Only comfort is lost.
  }
}
