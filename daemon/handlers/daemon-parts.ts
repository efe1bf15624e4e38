import type { Note } from '#contract/entities.ts';
import type { Archive } from '../archive/archive.ts';
import type { Imports } from '../import/imports.ts';
import type { Capture } from '../capture/capture.ts';
import type { Distiller } from '../distill/distill.ts';
import type { PromoteParts } from '../distill/promote.ts';
import type { Drain } from '../drain/drain.ts';
import type { CommitFollower } from '../drain/follow-commits.ts';
import type { ModelWriter } from '../drain/writers/llm/model-writer.ts';
import type { Inference } from '../inference/inference.ts';
import type { Preview } from '../knowledge/twins.ts';
import type { BackgroundTask } from '../platform/background-task.ts';
import type { Afterwards } from '../platform/afterwards.ts';
import type { Incidents } from '../platform/incidents.ts';
import type { Log } from '../platform/log.ts';
import type { Paths } from '../platform/paths.ts';
import type { Settings } from '../platform/settings.ts';
import type { UserResolve } from '../ports/knob.ts';
import type { RecallCache } from '../recall/answer-cache.ts';
import type { RecallGauge } from '../recall/gauge.ts';
import type { Branches } from '../knowledge/branches.ts';
import type { SkillsIndex } from '../recall/skills/skills-index.ts';
import type { VectorIndex } from '../knowledge/vector-index.ts';
import type { Confirmations } from '../serve/confirmations.ts';
import type { InstallContext } from '../agents/agent.ts';
import type { Store } from '../store/learnings/write.ts';
import type { Team } from '../team/team.ts';

/** The parts of the daemon that handlers use. Wired in main.ts. */
export interface DaemonParts {
  paths: Paths;
  version: string;
  startedAt: number;
  now: () => number;
  log: Log;
  settings: Settings;
  store: Store;
  /** For what is recorded beside an answer. */
  afterwards: Afterwards;
  inference: Inference;
  /** One per embedder, the first embedder first. */
  vectorIndexes: readonly VectorIndex[];
  recallCache: RecallCache;
  recallGauge: RecallGauge;
  skills: SkillsIndex;
  /** Makes the learnings of merged branches the project's. */
  branches: Branches;
  /** Follows the commits that git hooks report. */
  commits: CommitFollower;
  capture: Capture;
  drain: Drain;
  distiller: Distiller;
  /** Promotes learnings to skills. */
  promotion: PromoteParts;
  writer: ModelWriter;
  reflector: BackgroundTask;
  /** Failures nobody expected, for the person to see. */
  incidents: Incidents;
  /** Connects this Reflect to the agents of this user. */
  installContext: InstallContext;
  archive: Archive;
  imports: Imports;
  team: Team;
  openUrl: () => string;
  /** Ends every session of a browser and returns how many there were. */
  revokeBrowsers: () => number;
  confirmations: Pick<Confirmations, 'answer'>;
  stop: () => void;
  /** Stops and starts again in the same process, e.g. with a restored database. */
  restart: () => void;
  /** Starts reading transcripts, unless a setting or an open decision forbids it. */
  readTranscripts: () => void;
  /** Aborted when the daemon stops. */
  signal: AbortSignal;
  /** Checks a note before it is ingested. */
  preview: (note: Note, resolve: UserResolve) => Promise<Preview>;
  /** Notices about the start of the daemon that a person must see. */
  startNotices: string[];
}
