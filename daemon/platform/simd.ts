// Loops over many small vectors, in WebAssembly: its SIMD instructions take sixteen bytes at once, and JavaScript has
// none. This is WebAssembly's binary format, written with names: https://webassembly.github.io/spec/core/binary

type Code = readonly number[];

const BLOCK = 16; // bytes that one instruction takes
const I32 = 0x7f;
const V128 = 0x7b;

/** A whole number of either sign: seven bits a byte, the lowest first. */
function signed(value: number): Code {
  return value >= -64 && value < 64 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}

/** The same without a sign. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

const get = (variable: number): Code => [0x20, ...unsigned(variable)];
const set = (variable: number): Code => [0x21, ...unsigned(variable)];
const tee = (variable: number): Code => [0x22, ...unsigned(variable)];
const plus = (value: number): Code => [0x41, ...signed(value), 0x6a];
const ADD: Code = [0x6a];
const IS_MORE: Code = [0x4a];
const LOAD_INT: Code = [0x28, 2, 0];
const STORE_INT: Code = [0x36, 2, 0];
const STORE_SHORT: Code = [0x3b, 1, 0];
const simd = (instruction: number): Code => [0xfd, ...unsigned(instruction)];
const loadBlock = (at: number): Code => [...simd(0x00), 0, ...unsigned(at * BLOCK)];
const LOAD_REPEATED: Code = [...simd(0x09), 0, 0]; // one float, four times
const storeBlock = (at: number): Code => [...simd(0x0b), 0, ...unsigned(at * BLOCK)];
const ZERO: Code = [...simd(0x0c), ...Array<number>(BLOCK).fill(0)];
const XOR = simd(0x51);
const COUNT_BITS = simd(0x62);
const ADD_BYTES = simd(0x6e);
const PAIRS_OF_BYTES = simd(0x7d);
const PAIRS_OF_SHORTS = simd(0x7f);
const LOW_AS_SHORTS = simd(0x87);
const HIGH_AS_SHORTS = simd(0x88);
const ADD_INTS = simd(0xae);
const MULTIPLY_SHORTS = simd(0xba); // and adds neighbours, as ints
const ADD_FLOATS = simd(0xe4);
const MULTIPLY_FLOATS = simd(0xe6);
const lane = (at: number): Code => [...simd(0x1b), at];

const advance = (variable: number, bytes: number): Code => [
  ...get(variable),
  ...plus(bytes),
  ...set(variable),
];
const each = (count: number, code: (at: number) => Code): Code =>
  Array.from({ length: count }, (_, at) => code(at)).flat();

/** Repeats the code until it has run as often as the variable says, at least once. */
const times = (variable: number, ...code: Code[]): Code => [
  ...[0x03, 0x40, ...code.flat()],
  ...[...get(variable), ...plus(-1), ...tee(variable), 0x0d, 0, 0x0b],
];

const sumOfInts = (block: number): Code =>
  each(4, (at) => [...get(block), ...lane(at), ...(at > 0 ? ADD : [])]);

interface Routine {
  parameters: number;
  /** How many variables it has besides: numbers, then blocks. */
  numbers: number;
  blocks: number;
  code: Code;
}

/** `(question, rows, count, distances)`: in how many bits each row differs from the question, two bytes each. */
function bitsThatDiffer(blocks: number): Routine {
  const [question, rows, count, distances, asked, sum] = [0, 1, 2, 3, 4, 4 + blocks];
  return {
    parameters: 4,
    numbers: 0,
    blocks: blocks + 1,
    code: [
      ...each(blocks, (at) => [...get(question), ...loadBlock(at), ...set(asked + at)]),
      ...times(
        count,
        each(blocks, (at) => [
          ...[...get(rows), ...loadBlock(at), ...get(asked + at), ...XOR, ...COUNT_BITS],
          ...(at > 0 ? ADD_BYTES : []),
        ]),
        [...PAIRS_OF_BYTES, ...PAIRS_OF_SHORTS, ...set(sum)],
        [...get(distances), ...sumOfInts(sum), ...STORE_SHORT],
        [...advance(rows, blocks * BLOCK), ...advance(distances, 2)],
      ),
    ],
  };
}

/**
 * `(questions, howMany, rows, count, best)`: for each question, of shorts, the largest product with a row, of bytes; an
 * int each.
 */
function largestProducts(blocks: number): Routine {
  const [questions, howMany, rows, count, best] = [0, 1, 2, 3, 4];
  const [question, left, most, product, shorts, sum] = [5, 6, 7, 8, 9, 9 + 2 * blocks];
  return {
    parameters: 5,
    numbers: 4,
    blocks: 2 * blocks + 1,
    code: times(
      count,
      each(blocks, (at) => [
        ...[...get(rows), ...loadBlock(at), ...LOW_AS_SHORTS, ...set(shorts + 2 * at)],
        ...[...get(rows), ...loadBlock(at), ...HIGH_AS_SHORTS, ...set(shorts + 2 * at + 1)],
      ]),
      [...get(questions), ...set(question), ...get(howMany), ...set(left), ...get(best), ...set(most)],
      times(
        left,
        each(2 * blocks, (at) => [
          ...[...get(question), ...loadBlock(at), ...get(shorts + at), ...MULTIPLY_SHORTS],
          ...(at > 0 ? ADD_INTS : []),
        ]),
        set(sum),
        [...sumOfInts(sum), ...tee(product), ...get(most), ...LOAD_INT, ...IS_MORE],
        [0x04, 0x40, ...get(most), ...get(product), ...STORE_INT, 0x0b],
        [...advance(question, 2 * blocks * BLOCK), ...advance(most, 4)],
      ),
      advance(rows, blocks * BLOCK),
    ),
  };
}

/** `(question, places, count, results)`: the product of the question and the row at each place, as an int each. */
function products(blocks: number): Routine {
  const [question, places, count, results, row, sum] = [0, 1, 2, 3, 4, 5];
  return {
    parameters: 4,
    numbers: 1,
    blocks: 1,
    code: times(
      count,
      [...get(places), ...LOAD_INT, ...set(row)],
      each(blocks, (at) => [
        ...[...get(question), ...loadBlock(at), ...get(row), ...loadBlock(at), ...MULTIPLY_SHORTS],
        ...(at > 0 ? ADD_INTS : []),
      ]),
      set(sum),
      [...get(results), ...sumOfInts(sum), ...STORE_INT],
      [...advance(places, 4), ...advance(results, 4)],
    ),
  };
}

/** `(rows, count, width, matrix, results)`: each row, of `width` floats, times a matrix with a vector for each. */
function timesMatrix(blocks: number): Routine {
  const [rows, count, width, matrix, results] = [0, 1, 2, 3, 4];
  const [left, weights, value, sums] = [5, 6, 7, 8];
  return {
    parameters: 5,
    numbers: 2,
    blocks: 1 + blocks,
    code: times(
      count,
      each(blocks, (at) => [...ZERO, ...set(sums + at)]),
      [...get(width), ...set(left), ...get(matrix), ...set(weights)],
      times(
        left,
        [...get(rows), ...LOAD_REPEATED, ...set(value)],
        each(blocks, (at) => [
          ...[...get(weights), ...loadBlock(at), ...get(value), ...MULTIPLY_FLOATS],
          ...[...get(sums + at), ...ADD_FLOATS, ...set(sums + at)],
        ]),
        [...advance(rows, 4), ...advance(weights, blocks * BLOCK)],
      ),
      each(blocks, (at) => [...get(results), ...get(sums + at), ...storeBlock(at)]),
      advance(results, blocks * BLOCK),
    ),
  };
}

const ROUTINES = { bitsThatDiffer, largestProducts, products, timesMatrix };
type Name = keyof typeof ROUTINES;

/** A module with one function, `run`, over a memory of its own. */
function moduleOf({ parameters, numbers, blocks, code }: Routine): Uint8Array<ArrayBuffer> {
  const list = (...items: Code[]): Code => [...unsigned(items.length), ...items.flat()];
  const sized = (content: Code): Code => [...unsigned(content.length), ...content];
  const text = (name: string): Code => sized([...Buffer.from(name)]);
  const section = (id: number, content: Code): Code => [id, ...sized(content)];
  const variables = list([...unsigned(numbers), I32], [...unsigned(blocks), V128]);
  return Uint8Array.from([
    ...[0, ...Buffer.from('asm'), 1, 0, 0, 0],
    ...section(1, list([0x60, ...unsigned(parameters), ...each(parameters, () => [I32]), 0])),
    ...section(3, list([0])),
    ...section(5, list([0, 1])),
    ...section(7, list([...text('run'), 0, 0], [...text('memory'), 2, 0])),
    ...section(10, list(sized([...variables, ...code, 0x0b]))),
  ]);
}

const PAGE = 65_536; // bytes

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The parts that are used here; the daemon's types have none of a browser's. */
declare const WebAssembly: {
  validate(module: Uint8Array): boolean;
  Module: new (module: Uint8Array) => object;
  Instance: new (module: object) => { exports: Record<string, unknown> };
};

/** One of the loops, for vectors of this many bytes, with the memory that it works on. */
export class Simd {
  readonly #memory: Memory;
  readonly run: (...parameters: number[]) => void;

  private constructor(module: Uint8Array) {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module));
    this.run = exports.run as Simd['run']; // both are what `moduleOf` exports
    this.#memory = exports.memory as Memory;
  }

  /** Null where the processor or this V8 has no such instructions, or a vector does not fill whole blocks. */
  static create(routine: Name, bytes: number): Simd | null {
    const module = moduleOf(ROUTINES[routine](bytes / BLOCK));
    if (bytes % BLOCK !== 0 || !WebAssembly.validate(module)) return null;
    return new Simd(module);
  }

  /** Its memory, with room for this many bytes. Views of it end when it grows. */
  memory(bytes: number): ArrayBuffer {
    const missing = bytes - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
    return this.#memory.buffer;
  }
}
