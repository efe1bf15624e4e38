/** Each item with a key of its own: its id, and for an id that comes again, how often it did. */
export function keyed<T>(items: readonly T[], idOf: (item: T) => string): { key: string; item: T }[] {
  const seen: Record<string, number> = {};
  return items.map((item) => {
    const id = idOf(item);
    const times = (seen[id] = (seen[id] ?? 0) + 1);
    return { key: times === 1 ? id : `${id} ${times}`, item };
  });
}
