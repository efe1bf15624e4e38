import type * as z from 'zod';

/** What this window remembers between visits. Storage may be denied; then it forgets, and nothing breaks. */
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
