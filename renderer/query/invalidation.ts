import type { Method } from '#contract/methods.ts';
import type { ClientEvent } from '../daemon.ts';

/** The one table of what each event makes stale. A gap in the connection or an import makes everything stale. */
const STALE_AFTER: Record<ClientEvent['type'], readonly Method[] | 'everything'> = {
  'learning.changed': [
    'status',
    'learnings.list',
    'learnings.get',
    'learnings.history',
    'learnings.excerpt',
    'inbox.list',
    'candidates.list',
    'judge.show',
    'capture.moments',
    'sessions.list',
    'uses.list',
    'graph.read',
    'graph.entity',
    'archive.preview',
    'projects.list',
  ],
  'capture.moment': ['status', 'capture.moments', 'sessions.list', 'uses.list'],
  // Several times a second while transcripts are read; the status applies it without asking.
  'capture.progress': [],
  'models.changed': ['status'],
  'settings.changed': [
    'status',
    'config.list',
    'capture.ignored',
    'ports.list',
    'writers.status',
    'judge.show',
  ],
  'inbox.changed': ['status', 'inbox.list', 'gaps.list'],
  'outcomes.changed': [
    'status',
    'learnings.get',
    'sessions.list',
    'uses.list',
    'reviews.list',
    'experience.list',
    'loops.list',
    'loops.get',
    'reflections.analyze',
    'memories.history',
  ],
  'confirmation.asked': [],
  'slots.changed': ['slots.list', 'recall.inject'],
  'team.changed': ['team.status'],
  'archive.progress': [],
  'archive.imported': 'everything',
  reconnected: 'everything',
};

/** True when the event may have changed the answer to this question. */
export function makesStale(event: ClientEvent, method: Method, input: object): boolean {
  const methods = STALE_AFTER[event.type] ?? []; // a newer daemon may send a type we do not know
  if (methods === 'everything') return true;
  if (!methods.includes(method)) return false;
  return event.type !== 'learning.changed' || !isAboutAnother(input, event.id);
}

/** A question about one learning stays fresh when another one changes. */
function isAboutAnother(input: { id?: unknown; learning?: unknown }, changedId: string): boolean {
  const id = input.id ?? input.learning;
  return typeof id === 'string' && id !== changedId;
}
