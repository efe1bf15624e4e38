import type { DaemonStatus } from '#contract/status.ts';
import { spreadOf } from '../platform/spread.ts';
import type { Step } from './pipeline.ts';
import type { Stage } from './port.ts';

const MOST = 200; // enough recent recalls to describe the present

type Times = Partial<Record<Stage, number>>;

/** Times of recent recalls, stage by stage. Kept in memory: times from before a restart say nothing about now. */
export class RecallGauge {
  readonly #recent: Times[] = [];
  #lookedUp = 0;
  #cached = 0;

  note(steps: readonly Step[]): void {
    const isLookedUp = steps.some(({ stage, on }) => stage === 'cache' && on);
    if (isLookedUp) this.#lookedUp += 1;
    if (isLookedUp && !steps.some(({ stage }) => stage === 'arm')) this.#cached += 1;
    this.#recent.push(timesOf(steps));
    if (this.#recent.length > MOST) this.#recent.shift();
  }

  read(): Pick<DaemonStatus['recall'], 'lookedUp' | 'cached' | 'stages'> {
    const stages = new Set(this.#recent.flatMap((times) => Object.keys(times) as Stage[]));
    return {
      lookedUp: this.#lookedUp,
      cached: this.#cached,
      stages: [...stages].map((stage) => ({
        stage,
        ...spreadOf(this.#recent.flatMap((recall) => recall[stage] ?? [])),
      })),
    };
  }
}

/** Arms search side by side, so theirs is the time of the slowest; all others wait for each other. */
function timesOf(steps: readonly Step[]): Times {
  const times: Times = {};
  for (const { stage, ms } of steps)
    times[stage] = stage === 'arm' ? Math.max(times.arm ?? 0, ms) : (times[stage] ?? 0) + ms;
  return times;
}
