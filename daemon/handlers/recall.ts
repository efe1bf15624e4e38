import type { Handlers } from '#contract/methods.ts';
import { RECALL_WORKFLOW } from '#contract/modes.ts';
import { chooseMode } from '../drain/modes/choose.ts';
import { glyphsOf } from '../drain/modes/mode.ts';
import { calibrate } from '../recall/calibrate.ts';
import { inject } from '../recall/inject/inject.ts';
import { corpusScope } from '../recall/modes/corpora.ts';
import { hydrate, index, timeline } from '../recall/modes/staged.ts';
import { readTimes } from '../recall/modes/times.ts';
import {
  answer,
  type AnswerOptions,
  type RecallAnswer,
  type RecallParts,
  type RecallQuestion,
} from '../recall/recall.ts';
import { freshConventions } from './distill.ts';
import type { DaemonParts } from './daemon-parts.ts';
import { isIgnored } from './privacy.ts';

export function recallHandlers(parts: DaemonParts) {
  const recallParts = recallPartsOf(parts);
  return {
    'recall.search': (input) => ask(recallParts, input, { quiet: input.quiet ?? false }),
    'recall.explain': (input) => ask(recallParts, input, { explain: true, quiet: true }),
    'recall.inject': async (request) => {
      const { text, ids, tokens } = await inject(
        { ...recallParts, skills: parts.skills, conventions: freshConventions(parts) },
        request,
      );
      return { text, ids, tokens };
    },
    'recall.index': async (input) => {
      const { question, notices } = readQuestion(recallParts, input);
      const found = await index(recallParts, question, { quiet: input.quiet ?? false });
      return { ...found, notices: [...notices, ...found.notices] };
    },
    'recall.timeline': (question) => timeline(recallParts, question),
    'recall.hydrate': (request) => hydrate(recallParts, request),
    'recall.workflow': () => ({ text: RECALL_WORKFLOW }),
    'recall.calibrate': async ({ write }) => {
      const calibration = await calibrate(recallParts);
      if (write)
        for (const [name, value] of Object.entries(calibration.proposed)) parts.settings.set(name, value);
      return { ...calibration, written: write };
    },
  } satisfies Partial<Handlers>;
}

type Asked = Parameters<Handlers['recall.search']>[0];

/** The query for recall, with times resolved and the corpus loaded. */
function readQuestion(
  { db, now }: RecallParts,
  { since, until, corpus, quiet: _, ...question }: Asked,
): { question: RecallQuestion; notices: string[] } {
  const times = readTimes({ since, until }, now());
  if (corpus === undefined) return { question: { ...question, ...times }, notices: [] };
  const { only, notices } = corpusScope({ db }, corpus);
  return { question: { ...question, ...times, only }, notices };
}

export async function ask(parts: RecallParts, input: Asked, options: AnswerOptions): Promise<RecallAnswer> {
  const { question, notices } = readQuestion(parts, input);
  const answered = await answer(parts, question, options);
  return { ...answered, notices: [...notices, ...answered.notices] };
}

export function recallPartsOf(parts: DaemonParts): RecallParts {
  const { paths, store, settings, inference, vectorIndexes, recallCache, recallGauge, afterwards, now } =
    parts;
  const { db } = store;
  return {
    db,
    settings,
    inference,
    indexes: vectorIndexes,
    cache: recallCache,
    gauge: recallGauge,
    afterwards,
    isIgnored: (cwd) => isIgnored(parts, cwd),
    glyphs: (resolve) => glyphsOf(chooseMode(paths.modes, resolve).mode),
    now,
  };
}
