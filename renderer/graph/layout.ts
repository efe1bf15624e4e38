import { QuadTree } from './quad-tree.ts';

const REPULSION = 90;
const LINK_LENGTH = 46;
const GRAVITY = 0.035;
const FRICTION = 0.6;
const COOLING = 0.0228; // about 300 steps until it stands still
const MANY = 2_000; // nodes from which half the steps must do
const STILL = 0.001;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

export interface LayoutInput {
  count: number;
  /** Pairs of nodes, each pair once. */
  links: Uint32Array;
  /** Earlier node positions, x and y in turn; NaN for new nodes. */
  before: Float32Array;
}

/** Nodes repel each other, links pull, everything drifts to the middle. The same input gives the same picture. */
export class ForceLayout {
  readonly positions: Float32Array;
  readonly #velocity: Float32Array;
  readonly #links: Uint32Array;
  readonly #degree: Uint32Array;
  readonly #tree: QuadTree;
  #heat = 1;

  constructor({ count, links, before }: LayoutInput) {
    this.positions = new Float32Array(count * 2);
    this.#velocity = new Float32Array(count * 2);
    this.#links = links;
    this.#degree = new Uint32Array(count);
    for (const node of links) this.#degree[node] = (this.#degree[node] ?? 0) + 1;
    this.#tree = new QuadTree(count);
    for (let node = 0; node < count; node++) this.#place(node, before);
  }

  get settled(): boolean {
    return this.#heat < STILL;
  }

  step(): void {
    this.#heat *= 1 - (this.#degree.length > MANY ? 2 * COOLING : COOLING);
    this.#pull();
    this.#tree.build(this.positions);
    this.#tree.push(this.positions, this.#velocity, REPULSION * this.#heat);
    this.#move();
  }

  #place(node: number, before: Float32Array): void {
    const x = before[node * 2] ?? NaN;
    const y = before[node * 2 + 1] ?? NaN;
    // A spiral fills the plane evenly, so that nothing starts on top of another.
    const radius = 12 * Math.sqrt(node + 0.5);
    this.positions[node * 2] = Number.isNaN(x) ? radius * Math.cos(node * GOLDEN_ANGLE) : x;
    this.positions[node * 2 + 1] = Number.isNaN(y) ? radius * Math.sin(node * GOLDEN_ANGLE) : y;
  }

  #pull(): void {
    const [at, velocity, degree] = [this.positions, this.#velocity, this.#degree];
    for (let link = 0; link < this.#links.length; link += 2) {
      const a = this.#links[link]!;
      const b = this.#links[link + 1]!;
      const dx = at[b * 2]! + velocity[b * 2]! - at[a * 2]! - velocity[a * 2]!;
      const dy = at[b * 2 + 1]! + velocity[b * 2 + 1]! - at[a * 2 + 1]! - velocity[a * 2 + 1]!;
      const length = Math.hypot(dx, dy) || 1;
      // A hub is not dragged about by each of its many.
      const force = (((length - LINK_LENGTH) / length) * this.#heat) / Math.min(degree[a]!, degree[b]!);
      const share = degree[a]! / (degree[a]! + degree[b]!);
      velocity[b * 2]! -= dx * force * share;
      velocity[b * 2 + 1]! -= dy * force * share;
      velocity[a * 2]! += dx * force * (1 - share);
      velocity[a * 2 + 1]! += dy * force * (1 - share);
    }
  }

  #move(): void {
    const [at, velocity] = [this.positions, this.#velocity];
    const gravity = GRAVITY * this.#heat;
    for (let i = 0; i < at.length; i++) {
      velocity[i] = (velocity[i]! - at[i]! * gravity) * FRICTION;
      at[i]! += velocity[i]!;
    }
  }
}
