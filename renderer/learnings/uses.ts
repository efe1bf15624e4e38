import type { SessionUse } from '#contract/sessions.ts';

/** A session with all the ways it was given one learning, and how that ended. */
export interface UsingSession extends Pick<SessionUse, 'session' | 'agent' | 'project' | 'at' | 'outcome'> {
  vias: SessionUse['via'][];
}

/** By session, latest first: the same learning may be told at the start and again before a tool. */
export function sessionsIn(latestFirst: readonly SessionUse[]): UsingSession[] {
  return [...Map.groupBy(latestFirst, ({ session }) => session).values()].flatMap((uses) => {
    const [latest] = uses;
    const agent = uses.find((use) => use.agent !== '')?.agent ?? '';
    return latest ? [{ ...latest, agent, vias: [...new Set(uses.toReversed().map(({ via }) => via))] }] : [];
  });
}
