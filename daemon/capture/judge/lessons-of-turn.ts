import { judge, type Weights } from './cue.ts';
import { FINDING_CUES } from './finding-cues.ts';
import type { FindingMoment } from './finding-moments.ts';
import { anyOf } from './wording.ts';

/** A sentence in which the agent says why, how likely it is a finding, and whether the work confirmed it. */
export interface TurnLesson {
  text: string;
  score: number;
  confirmed: boolean;
}

const MOST = 5;
const [SHORTEST, LONGEST] = [50, 400]; // characters
const GIVES_CAUSE = anyOf(
  /\b(?:because|since|due to|caused by|so that|which means|this means|otherwise|instead of)\b/i,
  /\bthe (?:actual |real |root )?(?:issue|problem|bug|cause|reason|fix)\b/i,
  /\b(?:requires?|needs? (?:to|a)|must|doesn't|does not|don't|can't|cannot|never|prevents?|expects?|assumes?)\b/i,
  /\b(?:only works|fails? (?:when|if|because|with))\b/i,
);
/** Something of the code: a quoted name, an identifier or a file. */
const NAMES_CODE = /`[^`]+`|\b[a-z]+[A-Z]\w+|\b\w+_\w+|\b[\w-]+\.\w{1,4}\b|\b[A-Z][a-z]+[A-Z]\w*/;
/** Items of a list, rows of a table, and reports of the work itself. */
const REPORTS = anyOf(
  /^\s*(?:[-*|]|\d+\.|\*\*|now\b|added|updated|changed|reduced|keep|let me|i('ll| will| need| should| see)|we (?:need|should))/i,
  /\b(?:let me|i'll)\b/i,
  /[:?]\s*$/,
);

/** The sentences of a turn that say why, most likely findings first. */
export function lessonsOfTurn(statements: readonly FindingMoment[], weights: Weights): TurnLesson[] {
  return statements
    .filter(({ reply }) => !reply.subagent)
    .flatMap((moment) => {
      const { probability } = judge(FINDING_CUES, weights, moment);
      return moment.reasons
        .filter(
          (text) =>
            text.length >= SHORTEST &&
            text.length <= LONGEST &&
            GIVES_CAUSE(text) &&
            NAMES_CODE.test(text) &&
            !REPORTS(text),
        )
        .map((text) => ({ text, score: Math.round(probability * 100) / 100, confirmed: moment.confirmed }));
    })
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST);
}
