import type { BackfillFigures } from './backfill-bench.ts';
import type { HookFigures } from './hook-bench.ts';
import type { IdleFigures } from './idle-bench.ts';
import type { RecallFigures } from './recall-bench.ts';
import type { StartFigures } from './start-bench.ts';

/** Everything one run measured; parts that were not requested are empty or null. */
export interface Figures {
  machine: string;
  node: string;
  recall: RecallFigures[];
  start: StartFigures | null;
  hook: HookFigures[];
  idle: IdleFigures | null;
  backfill: BackfillFigures | null;
  seconds: number;
}
