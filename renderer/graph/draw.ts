import type { GraphNode } from '#contract/graph.ts';
import { FAMILIES, type Family, FAMILY_OF, relationName } from './families.ts';
import type { PlacedEdge } from './graph.svelte.ts';
import type { Size, View } from './view.ts';

/** The tokens of the page as a canvas takes them. */
export type Colours = Record<Family | 'text' | 'textSoft' | 'surface' | 'accent' | 'node', string> & {
  font: string;
};

export interface Scene {
  nodes: readonly GraphNode[];
  positions: Float32Array;
  radii: Float32Array;
  visible: Uint8Array;
  edges: readonly PlacedEdge[];
  /** Nodes that match the search; the rest are dimmed. */
  matched: Uint8Array | null;
  /** The node that is looked at, with its neighbours; -1 for none. */
  focus: number;
  near: ReadonlySet<number>;
}

const MOST_LABELS = 90;
const MOST_EDGE_LABELS = 14;
const LABEL_HEIGHT = 14; // px
const ARROWS_FROM = 1; // scale from which every edge shows where it leads
const FAINT = 0.14;

/** The more edges, the fainter each, or thousands would be one dark blot. */
const clarity = (edges: number) => 0.55 * Math.min(1, Math.sqrt(1_000 / Math.max(1, edges)));
/** From afar only the great names; the nearer, the more. */
const labelsAt = (scale: number) => Math.round(Math.min(MOST_LABELS, 20 + 120 * scale));

/** Draws everything once: edges by colour, nodes in one path, the focused ones, then names as far as there is room. */
export function draw(
  context: CanvasRenderingContext2D,
  scene: Scene,
  view: View,
  size: Size,
  colours: Colours,
): void {
  const painter = new Painter(context, scene, view, size, colours);
  const steppedBack = scene.focus >= 0 || scene.matched !== null;
  painter.clear();
  painter.edges(
    scene.edges,
    steppedBack ? FAINT : clarity(scene.edges.length),
    !steppedBack && view.scale >= ARROWS_FROM,
  );
  painter.nodes((node) => !steppedBack || !painter.isLit(node), steppedBack ? FAINT * 2 : 1);
  if (steppedBack) {
    const lit = scene.edges.filter(({ from, to }) => from === scene.focus || to === scene.focus);
    painter.edges(lit, 1, true);
    painter.nodes((node) => painter.isLit(node), 1);
    painter.focusRing();
    if (lit.length <= MOST_EDGE_LABELS && view.scale > 0.6) painter.edgeNames(lit);
  }
  painter.names(steppedBack);
}

class Painter {
  readonly #context: CanvasRenderingContext2D;
  readonly #scene: Scene;
  readonly #view: View;
  readonly #size: Size;
  readonly #colours: Colours;

  constructor(context: CanvasRenderingContext2D, scene: Scene, view: View, size: Size, colours: Colours) {
    this.#context = context;
    this.#scene = scene;
    this.#view = view;
    this.#size = size;
    this.#colours = colours;
  }

  clear(): void {
    this.#context.clearRect(0, 0, this.#size.width, this.#size.height);
  }

  isLit(node: number): boolean {
    const { focus, near, matched } = this.#scene;
    return focus >= 0 ? node === focus || near.has(node) : (matched?.[node] ?? 1) === 1;
  }

  #x = (node: number): number => (this.#scene.positions[node * 2] ?? 0) * this.#view.scale + this.#view.x;
  #y = (node: number): number => (this.#scene.positions[node * 2 + 1] ?? 0) * this.#view.scale + this.#view.y;
  // Nodes grow slower than the plane, so that zooming in makes room.
  #radius = (node: number): number =>
    Math.max(1.2, (this.#scene.radii[node] ?? 3) * Math.min(1.4, Math.sqrt(this.#view.scale)));

  #isInSight(x: number, y: number, margin: number): boolean {
    return x > -margin && y > -margin && x < this.#size.width + margin && y < this.#size.height + margin;
  }

  edges(edges: readonly PlacedEdge[], alpha: number, arrows: boolean): void {
    const byFamily = Object.groupBy(edges, ({ type }) => FAMILY_OF[type]);
    const context = this.#context;
    context.globalAlpha = alpha;
    context.lineWidth = this.#view.scale > 0.5 ? 1.2 : 0.7;
    for (const family of FAMILIES) {
      context.strokeStyle = context.fillStyle = this.#colours[family];
      context.beginPath();
      for (const { from, to } of byFamily[family] ?? []) {
        context.moveTo(this.#x(from), this.#y(from));
        context.lineTo(this.#x(to), this.#y(to));
      }
      context.stroke();
      if (arrows) this.#arrows(byFamily[family] ?? []);
    }
    context.globalAlpha = 1;
  }

  #arrows(edges: readonly PlacedEdge[]): void {
    const context = this.#context;
    context.beginPath();
    for (const { from, to } of edges) {
      const [x, y] = [this.#x(to), this.#y(to)];
      if (!this.#isInSight(x, y, 0)) continue;
      const angle = Math.atan2(y - this.#y(from), x - this.#x(from));
      const tip = this.#radius(to) + 1.5;
      const corner = (turn: number, distance: number) =>
        [x - Math.cos(angle + turn) * distance, y - Math.sin(angle + turn) * distance] as const;
      context.moveTo(...corner(0, tip));
      context.lineTo(...corner(0.3, tip + 7));
      context.lineTo(...corner(-0.3, tip + 7));
      context.closePath();
    }
    context.fill();
  }

  nodes(which: (node: number) => boolean, alpha: number): void {
    const context = this.#context;
    context.globalAlpha = alpha;
    context.fillStyle = this.#colours.node;
    context.beginPath();
    for (let node = 0; node < this.#scene.nodes.length; node++) {
      if (!this.#scene.visible[node] || !which(node)) continue;
      const [x, y, radius] = [this.#x(node), this.#y(node), this.#radius(node)];
      if (!this.#isInSight(x, y, radius)) continue;
      context.moveTo(x + radius, y);
      context.arc(x, y, radius, 0, Math.PI * 2);
    }
    context.fill();
    context.globalAlpha = 1;
  }

  focusRing(): void {
    const { focus, visible } = this.#scene;
    if (focus < 0 || !visible[focus]) return;
    const context = this.#context;
    context.fillStyle = context.strokeStyle = this.#colours.accent;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(this.#x(focus), this.#y(focus), this.#radius(focus), 0, Math.PI * 2);
    context.fill();
    context.beginPath();
    context.arc(this.#x(focus), this.#y(focus), this.#radius(focus) + 3.5, 0, Math.PI * 2);
    context.stroke();
  }

  edgeNames(edges: readonly PlacedEdge[]): void {
    const context = this.#context;
    context.font = `10px ${this.#colours.font}`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (const { from, to, type } of edges) {
      const [x, y] = [(this.#x(from) + this.#x(to)) / 2, (this.#y(from) + this.#y(to)) / 2];
      if (Math.hypot(this.#x(from) - this.#x(to), this.#y(from) - this.#y(to)) < 70) continue;
      this.#written(relationName(type), x, y, this.#colours[FAMILY_OF[type]]);
    }
  }

  /** Names in the order of their weight, each where no other stands yet. */
  names(onlyLit: boolean): void {
    const { nodes, visible, focus } = this.#scene;
    const context = this.#context;
    context.font = `11px ${this.#colours.font}`;
    context.textAlign = 'center';
    context.textBaseline = 'top';
    const taken: { left: number; right: number; top: number }[] = [];
    const most = onlyLit ? MOST_LABELS : labelsAt(this.#view.scale);
    const order = focus >= 0 ? [focus, ...nodes.keys()] : nodes.keys();
    for (const node of order) {
      if (taken.length >= most) return;
      if (!visible[node] || (onlyLit && !this.isLit(node))) continue;
      const [x, y] = [this.#x(node), this.#y(node) + this.#radius(node) + 3];
      if (!this.#isInSight(x, y, 0)) continue;
      const name = shortened(nodes[node]?.name ?? '');
      // About as wide as it will be: measuring each would cost more than drawing it.
      const half = name.length * 3.1 + 4;
      const blocked = taken.some(
        ({ left, right, top }) => x + half > left && x - half < right && Math.abs(y - top) < LABEL_HEIGHT,
      );
      if (blocked) continue;
      taken.push({ left: x - half, right: x + half, top: y });
      this.#written(name, x, y, node === focus ? this.#colours.accent : this.#colours.text);
    }
  }

  /** With a halo of the ground, so that it can be read across edges. */
  #written(text: string, x: number, y: number, colour: string): void {
    const context = this.#context;
    context.lineJoin = 'round';
    context.lineWidth = 3;
    context.strokeStyle = this.#colours.surface;
    context.strokeText(text, x, y);
    context.fillStyle = colour;
    context.fillText(text, x, y);
  }
}

const shortened = (name: string) => (name.length > 32 ? `${name.slice(0, 30)}…` : name);
