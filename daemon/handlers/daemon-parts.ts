import type { Note } from '#contract/entities.ts';
import type { Archive } from '../archive/archive.ts';
import type { Capture } from '../capture/capture.ts';
import type { Distiller } from '../distill/distill.ts';
import type { PromoteParts } from '../distill/promote.ts';
import type { Drain } from '../drain/drain.ts';
import type { ModelWriter } from '../drain/writers/llm/model-writer.ts';
import type { Inference } from '../inference/inference.ts';
import type { Preview } from '../knowledge/twins.ts';
import type { Reflector } from '../outcomes/memories/reflector.ts';
import type { Log } from '../platform/log.ts';
import type { Paths } from '../platform/paths.ts';
import type { Settings } from '../platform/settings.ts';
import type { Resolve } from '../ports/knob.ts';
import type { RecallCache } from '../recall/answer-cache.ts';
import type { RecallGauge } from '../recall/gauge.ts';
import type { SkillsIndex } from '../recall/skills/skills-index.ts';
import type { VectorIndex } from '../knowledge/vector-index.ts';
import type { EventHub } from '../serve/events.ts';
import type { InstallContext } from '../agents/agent.ts';
import type { Store } from '../store/learnings/write.ts';

/** What the daemon is made of, as the handlers see it. Wired in main.ts. */
export interface DaemonParts {
  paths: Paths;
  version: string;
  startedAt: number;
  now: () => number;
  log: Log;
  settings: Settings;
  store: Store;
  inference: Inference;
  /** One for each embedder, the first one first. */
  vectorIndexes: readonly VectorIndex[];
  recallCache: RecallCache;
  recallGauge: RecallGauge;
  skills: SkillsIndex;
  capture: Capture;
  drain: Drain;
  distiller: Distiller;
  /** Where learnings become skills. */
  promotion: PromoteParts;
  writer: ModelWriter;
  reflector: Reflector;
  events: EventHub;
  /** For installing this Reflect in the agents of this user. */
  installContext: InstallContext;
  archive: Archive;
  openUrl: () => string;
  stop: () => void;
  /** Aborted when the daemon stops. */
  signal: AbortSignal;
  /** What is known of a note before it is taken up. */
  preview: (note: Note, resolve: Resolve) => Promise<Preview>;
  /** What a person must be told about how the daemon came up. */
  startNotices: string[];
}
