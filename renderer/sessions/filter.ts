import type { SessionSummary } from '#contract/sessions.ts';

export interface SessionFilter {
  text: string;
  agent: string;
  project: string;
}

export const EVERY_SESSION: SessionFilter = { text: '', agent: '', project: '' };

export const isFiltered = ({ text, agent, project }: SessionFilter): boolean =>
  text.trim() !== '' || agent !== '' || project !== '';

/** Sessions whose request, project, agent or id contain every typed word. */
export function filterSessions(
  sessions: readonly SessionSummary[],
  { text, agent, project }: SessionFilter,
): SessionSummary[] {
  const typed = text.toLowerCase().split(/\s+/).filter(Boolean);
  return sessions.filter((session) => {
    if ((agent !== '' && session.agent !== agent) || (project !== '' && session.project !== project))
      return false;
    const said = [session.title, session.project, session.agent, session.session].join('\n').toLowerCase();
    return typed.every((word) => said.includes(word));
  });
}

/** The values of a field, the most frequent first, each with how often it occurs. */
export function choicesIn(
  sessions: readonly SessionSummary[],
  field: 'agent' | 'project',
): { value: string; count: number }[] {
  const groups = Map.groupBy(sessions, (session) => session[field]);
  return [...groups]
    .filter(([value]) => value !== '')
    .map(([value, of]) => ({ value, count: of.length }))
    .toSorted((a, b) => b.count - a.count);
}
