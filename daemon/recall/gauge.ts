import type { DaemonStatus } from '#contract/status.ts';
import { spreadOf } from '../platform/spread.ts';
import type { Step } from './pipeline.ts';
import type { Stage } from './port.ts';

const MOST = 200; // enough recent recalls to describe the present

/** Times of recent recalls, stage by stage. Kept in memory: times from before a restart say nothing about now. */
export class RecallGauge {
  readonly #recent = new Map<Stage, number[]>();
  #lookedUp = 0;
  #cached = 0;

  note(steps: readonly Step[]): void {
    const isLookedUp = steps.some(({ stage, on }) => stage === 'cache' && on);
    if (isLookedUp) this.#lookedUp += 1;
    if (isLookedUp && !steps.some(({ stage }) => stage === 'arm')) this.#cached += 1;
    for (const [stage, ms] of timesOf(steps)) {
      const times = this.#recent.get(stage) ?? [];
      times.push(ms);
      if (times.length > MOST) times.shift();
      this.#recent.set(stage, times);
    }
  }

  read(): Pick<DaemonStatus['recall'], 'lookedUp' | 'cached' | 'stages'> {
    return {
      lookedUp: this.#lookedUp,
      cached: this.#cached,
      stages: [...this.#recent].map(([stage, times]) => ({ stage, ...spreadOf(times) })),
    };
  }
}

/** Arms search side by side, so theirs is the time of the slowest; all others wait for each other. */
function timesOf(steps: readonly Step[]): Map<Stage, number> {
  const times = new Map<Stage, number>();
  for (const { stage, ms } of steps) {
    const before = times.get(stage) ?? 0;
    times.set(stage, stage === 'arm' ? Math.max(before, ms) : before + ms);
  }
  return times;
}
