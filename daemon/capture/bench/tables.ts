import type { Label } from './labelled.ts';
import type { Heard, ScoredMoment } from './left-out.ts';

/** The figures that the goals of capture are stated in. */
export interface Figures {
  labels: number;
  recall: number;
  importantRecall: number;
  /** Within a few lines of the label: the same exchange. */
  nearRecall: number;
  moments: number;
  precision: number;
  medianPerSession: number;
  mostPerSession: number;
  /** How often a right moment scores higher than a wrong one. */
  area: number;
}

const NEAR = 6; // lines

/** True if the moment is on the line of a label, or on one that repeats it. */
export const meets = (label: Label, { line }: Pick<ScoredMoment, 'line'>, within = 0) =>
  [label.line, ...label.also_lines].some((at) => Math.abs(at - line) <= within);

const isRight = ({ read: { session } }: Heard, moment: ScoredMoment) =>
  session.labels.some((label) => meets(label, moment));

/** Moments that the labels can judge: a statement that was read only in part cannot be called wrong. */
const judged = (heard: Heard) =>
  heard.moments
    .filter(({ line }) => !heard.read.session.unread.has(line))
    .map((moment) => ({ ...moment, right: isRight(heard, moment) }));

export function figuresOf(
  sessions: readonly Heard[],
  { label: wanted = () => true, moment: counted = () => true }: Filter = {},
): Figures {
  const labels = sessions.flatMap((heard) =>
    heard.read.session.labels.filter((label) => wanted(label)).map((label) => ({ label, heard })),
  );
  const found = (within: number) =>
    labels.filter(({ label, heard }) =>
      heard.moments.filter(counted).some((moment) => meets(label, moment, within)),
    );
  const important = (of: typeof labels) => of.filter(({ label }) => label.importance === 3).length;
  const perSession = sessions.map(({ moments }) => moments.filter(counted).length).sort((a, b) => a - b);
  const moments = sessions.flatMap(judged).filter(counted);
  return {
    labels: labels.length,
    recall: found(0).length / labels.length,
    importantRecall: important(found(0)) / important(labels),
    nearRecall: found(NEAR).length / labels.length,
    moments: moments.length,
    precision: moments.filter(({ right }) => right).length / moments.length,
    medianPerSession: perSession[perSession.length >> 1] ?? 0,
    mostPerSession: perSession.at(-1) ?? 0,
    area: areaUnderCurve(moments),
  };
}

interface Filter {
  label?: (label: Label) => boolean;
  moment?: (moment: ScoredMoment) => boolean;
}

function areaUnderCurve(moments: ReadonlyArray<{ score: number; right: boolean }>): number {
  const lessons = moments.filter(({ right }) => right);
  const others = moments.filter(({ right }) => !right);
  let wins = 0;
  for (const { score } of lessons)
    for (const other of others) wins += score > other.score ? 1 : score === other.score ? 0.5 : 0;
  return wins / (lessons.length * others.length);
}

const isFirst = ({ read: { session } }: Heard, line: number) =>
  session.labels.some((label) => label.line === line);

const STEPS: readonly number[] = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

export interface Reliability {
  from: number;
  moments: number;
  /** The mean score, and the share that are lessons. */
  score: number;
  right: number;
}

/**
 * Of the moments said to be .3, are about 30 % lessons? One that repeats a lesson counts neither way: the judge values
 * the first.
 */
export function reliabilityOf(sessions: readonly Heard[], steps = STEPS) {
  const moments = sessions.flatMap((heard) =>
    judged(heard).filter(({ line, right }) => !right || isFirst(heard, line)),
  );
  return steps.map((from, index): Reliability => {
    const here = moments.filter(({ score }) => score >= from && score < (steps[index + 1] ?? Infinity));
    const mean = (value: (moment: (typeof here)[number]) => number) =>
      here.reduce((sum, moment) => sum + value(moment), 0) / here.length;
    return {
      from,
      moments: here.length,
      score: mean(({ score }) => score),
      right: mean(({ right }) => Number(right)),
    };
  });
}
