import { expect, test } from 'vitest';
import { ARCHIVED } from './tables.ts';
import { NEWEST, storeAt, tablesAt } from './schema.ts';

/** State of this machine: read positions, queued work, installed skills, recall logs, costs, pending file writes. */
const LEFT_BEHIND = [
  'consolidation',
  'conventions_doc',
  'counter',
  'document_outbox',
  'effect',
  'known_session',
  'live_session',
  'meta',
  'nudge',
  'promoted_skill',
  'recall_log',
  'recurrence',
  'session_use',
  'skill',
  'skill_refresh',
  'team_declined',
  'team_note',
  'team_outbox',
  'team_project',
  'team_refused',
  'team_space',
  'transcript',
  'unexamined',
  'writer_breaker',
  'writer_quota',
  'writer_run',
];

test('every table is either archived or listed as state of this machine', () => {
  const db = storeAt(':memory:', NEWEST);
  const tables = db
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`)
    .pluck()
    .all();
  expect([...Object.keys(ARCHIVED), ...LEFT_BEHIND].toSorted()).toEqual(tables);
});

test('the tables of an older version are those it had, as it had them', () => {
  const first = tablesAt(1).map(({ name }) => name);
  expect(first).toContain('learning');
  expect(first).not.toContain('persona');
  const slot = (version: number) => tablesAt(version).find(({ name }) => name === 'slot')?.columns;
  expect([slot(1), slot(2)].map((columns) => columns?.includes('position'))).toEqual([false, true]);
});
