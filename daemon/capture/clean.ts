import { branchScope, identifyProject, type ProjectIdentity } from '../platform/project.ts';
import { redact, redactAll } from '../privacy/redact.ts';
import { sessionTitle } from '../text/session-title.ts';
import { type CapturedMoment, LONGEST_QUOTE, LONGEST_TURN, type Turn } from './captured.ts';
import type { Batch, CleanMoment } from './protocol.ts';
import type { Stretch } from './reader.ts';

/** Nothing unredacted leaves the capture thread, and nothing that a person keeps Reflect out of. */
export function clean(
  stretch: Stretch,
  sweptMtime: number | null = null,
  isWanted: (said: { cwd: string; at: number }) => boolean = () => true,
): Batch {
  const redactions: Record<string, number> = {};
  const folders = new Map<string, ProjectIdentity | null>(); // a session stays in a few, and git's files are read for each
  const identify = (cwd: string) => {
    if (!folders.has(cwd)) folders.set(cwd, identifyProject(cwd));
    return folders.get(cwd) ?? null;
  };
  return {
    ...stretch,
    moments: stretch.moments
      .filter(isWanted)
      .map((moment) => cleanMoment(moment, identify(moment.cwd), redactions)),
    continuations: redactAll(stretch.continuations, redactions).map(({ key, turn }) => ({
      key,
      turn: toSize(turn),
    })),
    effects: stretch.effects.filter(isWanted).map(({ cwd, ...effect }) => ({
      ...redactAll(effect, redactions),
      project: projectOf(identify(cwd)),
    })),
    sessions: stretch.sessions.filter(isWanted).map(({ cwd, request, ...sign }) => ({
      ...sign,
      request: sessionTitle(redact(request).text),
      project: projectOf(identify(cwd)),
    })),
    redactions,
    sweptMtime,
  };
}

function cleanMoment(
  { branch, ...moment }: CapturedMoment,
  here: ProjectIdentity | null,
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
    branch: branchScope(branch ?? here?.branch, here?.trunk),
    project: projectOf(here),
  };
}

const toSize = (turn: Turn): Turn => ({ ...turn, text: turn.text.slice(0, LONGEST_TURN) });

function projectOf(here: ProjectIdentity | null): CleanMoment['project'] {
  return here && { id: here.id, name: here.name, root: here.root };
}
