/** The index of each node in the list, by one of its fields. */
export const placesBy = <Node, Key>(
  nodes: readonly Node[],
  keyOf: (node: Node) => Key,
): ReadonlyMap<Key, number> => new Map(nodes.map((node, place) => [keyOf(node), place]));

/** The neighbours of each node, in either direction of the edge. */
export function neighboursOf(
  edges: readonly { from: number; to: number }[],
): ReadonlyMap<number, ReadonlySet<number>> {
  const ends = edges.flatMap(({ from, to }) =>
    from === to
      ? []
      : ([
          [from, to],
          [to, from],
        ] as const),
  );
  return new Map(
    [...Map.groupBy(ends, ([from]) => from)].map(([from, group]) => [
      from,
      new Set(group.map(([, to]) => to)),
    ]),
  );
}

/** Each pair of neighbours once, whatever ties them. */
export function linksOf(edges: readonly { from: number; to: number }[]): Uint32Array {
  return Uint32Array.from(
    [...neighboursOf(edges)].flatMap(([from, near]) =>
      [...near].filter((to) => from < to).flatMap((to) => [from, to]),
    ),
  );
}
