import type { Label, LabelledSession } from './labelled.ts';

export interface Found {
  line: number;
  signal: string;
}

export interface Score {
  found: number;
  right: number;
  precision: number;
  labels: number;
  recalled: number;
  recall: number;
  important: number;
  importantRecalled: number;
  importantRecall: number;
  /** Captured although it is labelled as nothing to learn. */
  negativesHit: number;
}

interface Session {
  session: LabelledSession;
  found: Found[];
}

/** True if a capture is on the line of a label, or on one that repeats it. */
const meets = (label: Label, line: number, within: number) =>
  [label.line, ...label.also_lines].some((at) => Math.abs(at - line) <= within);

/** Precision over the captures and recall over the labels, without statements that were not read in full. */
export function score(
  sessions: Session[],
  within: number,
  only: (found: Found) => boolean = () => true,
): Score {
  const total = {
    found: 0,
    right: 0,
    labels: 0,
    recalled: 0,
    important: 0,
    importantRecalled: 0,
    negativesHit: 0,
  };
  for (const { session, found } of sessions) {
    for (const one of found.filter(only)) {
      const right = session.labels.some((label) => meets(label, one.line, within));
      if (!right && session.unread.has(one.line)) continue;
      total.found++;
      if (right) total.right++;
      else if (session.negatives.includes(one.line)) total.negativesHit++;
    }
    for (const label of session.labels) {
      const recalled = Number(found.filter(only).some(({ line }) => meets(label, line, within)));
      total.labels++;
      total.recalled += recalled;
      total.important += Number(label.importance === 3);
      total.importantRecalled += label.importance === 3 ? recalled : 0;
    }
  }
  return {
    ...total,
    precision: total.right / total.found,
    recall: total.recalled / total.labels,
    importantRecall: total.importantRecalled / total.important,
  };
}
