import type { Change, Learning } from '#contract/entities.ts';
import type { DaemonEvent } from '#contract/status.ts';
import type { Log } from '../platform/log.ts';
import type { ChangeListener, StoreChange } from '../store/changes.ts';
import type { WritableDb } from '../store/db.ts';
import { eventOf, type Lifecycle, type LifecycleEvent } from './lifecycle-events.ts';

interface Subscribers {
  db: WritableDb;
  log: Log;
  /** Reaches the open UIs. */
  events: { emit(event: DaemonEvent): void };
  lifecycle: Pick<Lifecycle, 'emit'>;
  /** Computes the vectors that these notes lack. */
  embed: (changed: readonly string[]) => void;
  distiller: { learningChanged(learning: Learning, kind: Change['kind']): void };
  outcomes: { wake(): void };
}

/** Subscribes everything that acts on changes to the store's feed; returns a function that unsubscribes it. */
export function subscribeToChanges(parts: Subscribers): () => void {
  const { db, log, events, lifecycle, embed, distiller, outcomes } = parts;
  const onLearnings = (act: (changed: LearningChange[]) => void): ChangeListener => {
    return (changes) => {
      const changed = changes.filter((change) => change.type === 'learning.changed');
      if (changed.length > 0) act(changed);
    };
  };
  const listeners: Record<string, ChangeListener> = {
    embedding: onLearnings((changed) => embed(changed.map(({ learning }) => learning.id))),
    outcomes: onLearnings(() => outcomes.wake()), // a new correction judges what its session had recalled
    distilling: onLearnings((changed) => {
      for (const { learning, kind } of changed) distiller.learningChanged(learning, kind);
    }),
    'UI events': (changes) => uiEventsOf(changes).forEach((event) => events.emit(event)),
    'lifecycle events': (changes) => {
      for (const change of changes) {
        const found = lifecycleEventOf(change);
        if (found) lifecycle.emit(...found);
      }
    },
  };
  const stops = Object.entries(listeners).map(([name, listener]) =>
    db.changes.subscribe(listener, (error) => log.error(`passing changes on to ${name}`, error)),
  );
  return () => stops.forEach((stop) => stop());
}

type LearningChange = Extract<StoreChange, { type: 'learning.changed' }>;

/** Changes that cannot affect the Inbox. A changed learning can: it may be a candidate, or answer a question. */
const NOT_IN_INBOX: ReadonlySet<StoreChange['type']> = new Set([
  'slot.changed',
  'outcome.recorded',
  'skill.refreshed',
  'consolidation.completed',
  'graph.maintained',
]);

/** The UI events for one commit. Events that only say "fetch it again" are sent once. */
function uiEventsOf(changes: readonly StoreChange[]): DaemonEvent[] {
  const sent: DaemonEvent[] = changes.flatMap((change): DaemonEvent[] => {
    if (change.type === 'learning.changed')
      return [{ type: 'learning.changed', id: change.learning.id, kind: change.kind }];
    if (change.type === 'learning.erased')
      return [{ type: 'learning.changed', id: change.id, kind: 'archive' }];
    if (change.type === 'slot.changed')
      return [{ type: 'slots.changed', project: change.project, name: change.name }];
    return [];
  });
  if (changes.some(({ type }) => !NOT_IN_INBOX.has(type))) sent.push({ type: 'inbox.changed' });
  if (changes.some(({ type }) => type === 'outcome.recorded')) sent.push({ type: 'outcomes.changed' });
  return sent;
}

/** The lifecycle event (C4) of a change, with the payload for commands. */
export function lifecycleEventOf(change: StoreChange): [LifecycleEvent, Record<string, unknown>] | null {
  switch (change.type) {
    case 'learning.changed':
      if (change.learning.status === 'candidate') return null; // not a learning yet
      return [
        change.kind === 'create' || change.kind === 'promote' ? 'learning.created' : 'learning.updated',
        eventOf(change.learning, change.kind),
      ];
    case 'question.asked': {
      const { kind, existingId, incomingId } = change;
      return ['question.asked', { kind, existingId, incomingId }];
    }
    case 'skill.refreshed':
      return ['skill.refreshed', { path: change.path }];
    case 'consolidation.completed':
      return ['consolidation.completed', { ...change.pass }];
    case 'graph.maintained':
      return ['graph.maintained', { ...change.mending }];
    default:
      return null;
  }
}
