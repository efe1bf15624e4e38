type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** The array itself while it has room for this many, else a copy half as large again. */
export function grown<T extends Numbers>(array: T, length: number): T {
  if (length <= array.length) return array;
  // The constructor of an array of numbers makes one of its own kind.
  const larger = new (array.constructor as new (length: number) => T)(length + (length >> 1));
  larger.set(array);
  return larger;
}
