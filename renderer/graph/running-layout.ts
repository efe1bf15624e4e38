import type { LayoutReply, LayoutRequest } from './layout.worker.ts';

type Layout = Omit<LayoutRequest, 'turn'>;

/** The layout in a thread of its own, so that the page stays quick while thousands of nodes find their places. */
export class RunningLayout {
  readonly #worker = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
  #turn = 0;

  constructor(onPositions: (positions: Float32Array, settled: boolean) => void) {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<LayoutReply>) => {
      if (data.turn === this.#turn) onPositions(data.positions, data.settled);
    });
  }

  start(layout: Layout): void {
    this.#worker.postMessage({ ...layout, turn: ++this.#turn } satisfies LayoutRequest);
  }

  stop(): void {
    this.#worker.terminate();
  }
}
