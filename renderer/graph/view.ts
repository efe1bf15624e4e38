/** The visible part of the graph's plane: screen = plane × scale + offset. */
export interface View {
  scale: number;
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

const SMALLEST = 0.05;
const LARGEST = 6;
const MARGIN = 48; // px around a graph that is fitted
const REACH = 8; // px beside a node that still hit it

const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** Shows all of these nodes; few nodes are not blown up. */
export function fit(positions: Float32Array, visible: Uint8Array, { width, height }: Size): View {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let node = 0; node < visible.length; node++) {
    if (!visible[node]) continue;
    const x = positions[node * 2] ?? 0;
    const y = positions[node * 2 + 1] ?? 0;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  if (left > right) return { scale: 1, x: width / 2, y: height / 2 };
  const scale = within(
    Math.min((width - MARGIN * 2) / (right - left || 1), (height - MARGIN * 2) / (bottom - top || 1)),
    SMALLEST,
    1.6,
  );
  return { scale, x: width / 2 - ((left + right) / 2) * scale, y: height / 2 - ((top + bottom) / 2) * scale };
}

/** Zooms so that what is under the point stays there. */
export function zoomAt(view: View, factor: number, x: number, y: number): View {
  const scale = within(view.scale * factor, SMALLEST, LARGEST);
  const real = scale / view.scale;
  return { scale, x: x - (x - view.x) * real, y: y - (y - view.y) * real };
}

/** Moves just enough that a node can be seen, and not hard at the edge. */
export function bringIntoView(view: View, x: number, y: number, { width, height }: Size): View {
  const at = { x: x * view.scale + view.x, y: y * view.scale + view.y };
  return {
    ...view,
    x: view.x + within(at.x, MARGIN, width - MARGIN) - at.x,
    y: view.y + within(at.y, MARGIN, height - MARGIN) - at.y,
  };
}

/** Large for what much hangs on, but never so large that it hides its neighbours. */
export const radiusOf = (degree: number): number => Math.min(14, 3 + Math.sqrt(degree) * 1.1);

/** The nearest visible node at a point of the screen; -1 for none. */
export function nodeAt(
  x: number,
  y: number,
  view: View,
  positions: Float32Array,
  radii: Float32Array,
  visible: Uint8Array,
): number {
  let [found, nearest] = [-1, Infinity];
  for (let node = 0; node < visible.length; node++) {
    if (!visible[node]) continue;
    const distance = Math.hypot(
      (positions[node * 2] ?? 0) * view.scale + view.x - x,
      (positions[node * 2 + 1] ?? 0) * view.scale + view.y - y,
    );
    if (distance < nearest && distance <= (radii[node] ?? 0) * view.scale + REACH)
      [found, nearest] = [node, distance];
  }
  return found;
}

const DIRECTIONS = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
} as const;
export type Direction = keyof typeof DIRECTIONS;

/** Of these nodes the one that lies most in a direction; -1 when none does. */
export function towards(
  direction: Direction,
  from: number,
  among: Iterable<number>,
  positions: Float32Array,
): number {
  const [wantedX, wantedY] = DIRECTIONS[direction];
  let [found, best] = [-1, 0];
  for (const node of among) {
    const dx = (positions[node * 2] ?? 0) - (positions[from * 2] ?? 0);
    const dy = (positions[node * 2 + 1] ?? 0) - (positions[from * 2 + 1] ?? 0);
    const length = Math.hypot(dx, dy) || 1;
    const straightness = (dx * wantedX + dy * wantedY) / length;
    // Half-way off the direction is the most that counts; of two as straight, the nearer.
    const worth = straightness < 0.5 ? 0 : straightness + 10 / (10 + length);
    if (worth > best) [found, best] = [node, worth];
  }
  return found;
}
