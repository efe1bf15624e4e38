import { branchScope, identifyProject } from '../platform/project.ts';
import { redactAll } from '../privacy/redact.ts';
import { type CapturedMoment, LONGEST_QUOTE, LONGEST_TURN, type Turn } from './pipeline.ts';
import type { Batch, CleanMoment } from './protocol.ts';
import type { Stretch } from './reader.ts';

/** Nothing unredacted leaves the capture thread. */
export function clean(stretch: Stretch, sweptMtime: number | null = null): Batch {
  const redactions: Record<string, number> = {};
  return {
    ...stretch,
    moments: stretch.moments.map((moment) => cleanMoment(moment, redactions)),
    continuations: redactAll(stretch.continuations, redactions).map(({ key, turn }) => ({
      key,
      turn: toSize(turn),
    })),
    effects: stretch.effects.map(({ cwd, ...effect }) => ({
      ...redactAll(effect, redactions),
      project: projectOf(cwd),
    })),
    redactions,
    sweptMtime,
  };
}

function cleanMoment(
  { cwd, branch, ...moment }: CapturedMoment,
  redactions: Record<string, number>,
): CleanMoment {
  const { key, signal, session, at, span, type, score, cues, recurring, speculative } = moment;
  const { quote, why, turns } = redactAll(
    { quote: moment.quote, why: moment.why, turns: moment.turns },
    redactions,
  );
  return {
    key,
    signal,
    session,
    at,
    span,
    type,
    score,
    recurring,
    speculative,
    quote: quote.slice(0, LONGEST_QUOTE),
    cues,
    why,
    turns: turns.map(toSize),
    branch: branchScope(branch ?? identifyProject(cwd)?.branch),
    project: projectOf(cwd),
  };
}

const toSize = (turn: Turn): Turn => ({ ...turn, text: turn.text.slice(0, LONGEST_TURN) });

function projectOf(cwd: string): CleanMoment['project'] {
  const project = identifyProject(cwd);
  return project && { id: project.id, name: project.name, root: project.root };
}
