/** Slice after slice until one is empty. `next` returns what follows the last item of the slice before it. */
export function* slices<T>(next: (last: T | undefined) => T[]): Generator<T[]> {
  for (let slice = next(undefined); slice.length > 0; slice = next(slice.at(-1))) yield slice;
}
