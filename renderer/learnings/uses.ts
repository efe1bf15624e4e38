import type { SessionUse } from '#contract/sessions.ts';

/** A session with all the ways it was given one learning, and how that ended. */
interface UsingSession extends Pick<
  SessionUse,
  'session' | 'sessionTitle' | 'agent' | 'project' | 'at' | 'outcome'
> {
  /** Each way once, in the order they came. */
  ways: Pick<SessionUse, 'via' | 'matched'>[];
}

/** By session, latest first: the same learning may be injected at the start and again before a tool. */
export function sessionsIn(latestFirst: readonly SessionUse[]): UsingSession[] {
  return [...Map.groupBy(latestFirst, ({ session }) => session).values()].flatMap((uses) => {
    const [latest] = uses;
    const agent = uses.find((use) => use.agent !== '')?.agent ?? '';
    const ways = uses.toReversed().map(({ via, matched }) => ({ via, matched }));
    const once = ways.filter(({ via }, index) => ways.findIndex((way) => way.via === via) === index);
    return latest ? [{ ...latest, agent, ways: once }] : [];
  });
}
