import { join } from 'node:path';
import type { Capture } from '../capture/capture.ts';
import { OWN_RUN_FOLDER } from '../capture/own-runs.ts';
import { Distiller } from '../distill/distill.ts';
import { Drain } from '../drain/drain.ts';
import { CommitFollower } from '../drain/follow-commits.ts';
import { senseOf } from '../drain/sense.ts';
import type { PlainWriter } from '../drain/writer.ts';
import { heuristicWriter } from '../drain/writers/heuristic.ts';
import { likenessOf } from '../drain/writers/likeness.ts';
import { ModelWriter } from '../drain/writers/llm/model-writer.ts';
import { Lifecycle } from '../events/lifecycle-events.ts';
import { subscribeToChanges } from '../events/subscriptions.ts';
import type { DaemonParts } from '../handlers/daemon-parts.ts';
import { wordPrinciple } from '../distill/principle-wording.ts';
import { wordTrace } from '../outcomes/memories/trace-wording.ts';
import type { Inference } from '../inference/inference.ts';
import type { Branches } from '../knowledge/branches.ts';
import { createRetractor } from '../knowledge/retract.ts';
import { learn } from '../knowledge/revise.ts';
import { preview } from '../knowledge/twins.ts';
import type { Upkeep } from '../knowledge/upkeep.ts';
import { createReflector } from '../outcomes/memories/reflector.ts';
import { createOutcomeUpkeep } from '../outcomes/upkeep.ts';
import { agentsHome } from '../platform/paths.ts';
import { projectRoot } from '../store/learnings/learnings.ts';
import { firstStart } from '../store/meta.ts';
import { findRelevant, type RecallParts } from '../recall/recall.ts';
import type { Core } from './core.ts';

const BACK_FILL_PAUSE = 80; // ms between two notes, so that reading and recall go on

interface Sources {
  inference: Inference;
  capture: Capture;
  recall: RecallParts;
  upkeep: Upkeep;
  branches: Branches;
  /** Computes the vectors that these notes lack. */
  embed: (changed: readonly string[]) => void;
}

type LearningParts = Pick<
  DaemonParts,
  'writer' | 'preview' | 'drain' | 'commits' | 'reflector' | 'distiller' | 'promotion'
>;

/** Starts all parts that turn captured moments into knowledge, and wakes them on new moments and changes. */
export function startLearning(core: Core, sources: Sources): LearningParts {
  const { store, settings, log, now, resolve, environment, paths, events, signal, readsOnly, running } = core;
  const { inference, capture, embed } = sources;
  const scratch = join(paths.run, OWN_RUN_FOLDER);
  const plain = heuristicWriter(likenessOf(inference));
  const writer = new ModelWriter({
    db: store.db,
    now,
    log,
    resolve,
    environment,
    plain,
    scratch,
    stopped: signal,
  });
  const previewNote: DaemonParts['preview'] = (note, knobs) =>
    preview(store, inference, note, knobs, (error) => log.error('comparing a note by meaning', error));
  const promotion = { store, home: agentsHome(environment), claudeFolder: environment.CLAUDE_CONFIG_DIR };
  const tasks = createTasks(core, sources, { writer, plain, preview: previewNote, promotion });
  const { drain, reflector, distiller, outcomes, retractor } = tasks;

  // Stopped after the tasks, so that changes of their last run are announced.
  const lifecycle = new Lifecycle({ file: paths.events, resolve, environment, log, now });
  running.add('lifecycle events', () => lifecycle.stop());
  const subscribers = { db: store.db, log, events, lifecycle, embed, distiller, outcomes };
  running.add('change feed', subscribeToChanges(subscribers));
  for (const [name, task] of Object.entries(tasks)) {
    running.add(name, () => task.stop());
    if (!readsOnly) task.wake();
  }
  const commits = new CommitFollower({ store, settings, log });
  running.add('commits', () => commits.stop());
  capture.listen({
    stored: () => [drain, outcomes, retractor].forEach((task) => task.wake()),
    caughtUp: () => retractor.wake(),
  });
  return { writer, preview: previewNote, drain, commits, reflector, distiller, promotion };
}

type NoteParts = Pick<DaemonParts, 'writer' | 'preview' | 'promotion'> & { plain: PlainWriter };

function createTasks(
  { store, log, foreground, settings, resolve, paths }: Core,
  { inference, capture, recall, upkeep, branches }: Sources,
  { writer, plain, preview, promotion }: NoteParts,
) {
  const isBackFilling = () => capture.state === 'back-filling';
  const since = firstStart(store.db, store.now());
  const wording = { db: store.db, settings, writer, modes: paths.modes };
  const retractor = createRetractor({
    store,
    log,
    resolve,
    findRelevant: (about, project) => findRelevant(recall, about, project),
    isReading: isBackFilling,
  });
  const drain = new Drain({
    store,
    writer,
    plain,
    log,
    preview,
    sense: (title) => senseOf(inference, title),
    modes: paths.modes,
    since,
    resolver: (projectRoot) => settings.resolver({ projectRoot }),
    pause: () => (isBackFilling() ? BACK_FILL_PAUSE : 0),
    onDrained: () => {
      upkeep.drained();
      branches.wake();
      retractor.wake();
    },
  });
  const reflector = createReflector({
    store,
    log,
    word: (trace) => wordTrace(wording, trace),
    keep: (note, reason) => learn(store, note, reason, writer.name),
  });
  const outcomes = createOutcomeUpkeep({
    store,
    log,
    resolve,
    keep: (note, reason) => learn(store, note, reason, 'outcomes'),
    resolver: (project) => settings.resolver({ projectRoot: projectRoot(store.db, project) }),
    ask: writer.ask,
    since,
  });
  const distiller = new Distiller({
    ...promotion,
    inference,
    log,
    foreground,
    resolve,
    conventions: paths.conventions,
    word: (members, draft) => wordPrinciple(wording, members, draft),
    isBusy: isBackFilling,
  });
  return { retractor, drain, reflector, outcomes, distiller };
}
