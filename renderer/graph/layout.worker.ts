import { ForceLayout, type LayoutInput } from './layout.ts';

/** Asked again, it drops what it was at. `still`: the picture is shown once, when nothing moves any more. */
export interface LayoutRequest extends LayoutInput {
  turn: number;
  still: boolean;
}
export interface LayoutReply {
  turn: number;
  positions: Float32Array<ArrayBuffer>;
  settled: boolean;
}

const SHOWN_EVERY = 16; // ms

let current = 0;

function run(layout: ForceLayout, turn: number, still: boolean): void {
  if (turn !== current) return;
  const until = performance.now() + SHOWN_EVERY;
  do layout.step();
  while (!layout.settled && performance.now() < until);
  if (!still || layout.settled) {
    const reply: LayoutReply = { turn, positions: layout.positions.slice(), settled: layout.settled };
    postMessage(reply, { transfer: [reply.positions.buffer] });
  }
  // A pause between batches lets a newer question in.
  if (!layout.settled) setTimeout(() => run(layout, turn, still));
}

addEventListener('message', ({ data }: MessageEvent<LayoutRequest>) => {
  current = data.turn;
  run(new ForceLayout(data), data.turn, data.still);
});
