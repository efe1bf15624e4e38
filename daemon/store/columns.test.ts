import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type * as z from 'zod';
import { tempStore } from '../testing/temp-home.ts';
import {
  ATTEMPT,
  CONFIRMED_SKILL,
  CORPUS_FILTER,
  EFFECT,
  MOMENT_PAYLOAD,
  NOTE,
  OBSERVATION,
  IMPORT_BATCHES,
  PENDING_IMPORT,
  PENDING_MERGE,
  SLOT,
} from './columns.ts';
import { getLearning } from './learnings/learnings.ts';
import type { PersistedJson } from './persisted-json.ts';

// Rows as each version wrote them, by hand and never edited: they stand for the rows people have. A new version adds
// one.
const NOTE_1 = {
  title: 'Run the tests with vitest',
  category: 'testing',
  type: 'correction',
  tags: ['tests'],
  confidence: 0.6,
  problem: '',
  rootCause: '',
  fix: '',
  rule: 'Never jest.',
  keyInsight: '',
  body: 'Because of ESM.',
  project: 'github.com/acme/shop',
  branch: null,
  scope: 'project',
  status: 'active',
  isLatest: true,
  supersededBy: null,
  speculative: false,
  outcome: 'none',
  task: '',
  summary: '',
  keyMistake: '',
  correctAction: '',
  applicableTools: [],
  guidance: '',
  toolsUsed: [],
  metadata: {},
  forgetAfter: null,
  validated: true,
  unverifiedRefs: [],
  provenance: {
    agent: 'claude-code',
    transcript: '/home/ada/t.jsonl',
    session: 's',
    chunk: '',
    spanStart: 0,
    spanEnd: 10,
    commit: '',
    quote: 'no, never jest',
  },
  entities: [{ name: 'vitest', type: 'tool', description: '' }],
  relations: [
    {
      source: 'vitest',
      target: 'jest',
      type: 'supersedes',
      description: '',
      strength: 5,
      committedAt: null,
      validFrom: null,
      validTo: null,
    },
  ],
};
const SLOT_1 = {
  project: '',
  name: 'persona',
  content: 'Ada',
  description: 'Who the agent works with',
  sizeLimit: 1000,
  readOnly: false,
  updatedAt: 5,
  position: 0,
};
const MOMENT_1 = {
  quote: 'no, never jest',
  why: ['forbids something'],
  score: 3,
  span: { start: 0, end: 50 },
  turns: [{ role: 'human', text: 'no, never jest', at: 5, trigger: true }],
};
const MOMENT_2 = { ...MOMENT_1, type: 'preference', speculative: true };
const OBSERVATION_1 = {
  id: 'obs-a',
  project: 'acme/shop',
  content: 'Tests run on vitest.',
  category: 'testing',
  field: 'testing_style',
  value: 'TDD',
  status: 'active',
  retiredReason: '',
  proofCount: 3,
  sources: ['a'],
  learnings: ['lrn-a'],
  createdAt: 1,
  updatedAt: 2,
};
const ATTEMPT_1 = {
  loop_id: 'ralph-a',
  iteration: 1,
  timestamp: '2026-06-15T12:00:00Z',
  actor_output: {
    actions: [{ type: 'code_modification', description: 'Fix it' }],
    rationale: 'It is broken',
  },
  evaluator_output: { passed: false, verification_type: 'unit_tests', reward_signal: 0.5 },
  self_reflection: {
    reflection_text: 'Read the test first.',
    credit_assignment: { failure_category: 'logic_error' },
  },
  memory_metadata: { omega_capacity: 3, current_memory_size: 1 },
};

/** Each row was written by the version in `v`, or by the first. */
const EARLIER: Array<[string, PersistedJson<z.ZodObject>, object]> = [
  ['note, version 1', NOTE, NOTE_1],
  ['slot, version 1', SLOT, SLOT_1],
  ['moment, version 1: no type', MOMENT_PAYLOAD, MOMENT_1],
  ['moment, version 2 before versions were written', MOMENT_PAYLOAD, MOMENT_2],
  ['moment, version 2', MOMENT_PAYLOAD, { ...MOMENT_2, v: 2 }],
  ['observation, version 1', OBSERVATION, OBSERVATION_1],
  ['attempt, version 1', ATTEMPT, ATTEMPT_1],
  ['filter of a corpus, version 1', CORPUS_FILTER, { tags: ['node'], since: 5 }],
  ['reverted commit, version 1', EFFECT.revert, { sees: 'revert', sha: '1a2b3c4' }],
  ['fixed tests, version 1', EFFECT['tests-fixed'], { sees: 'tests-fixed', runner: 'vitest', failedRuns: 2 }],
  ['trouble, version 1', EFFECT.trouble, { sees: 'trouble', kind: 'loop', detail: 'the same call 5 times' }],
  [
    'retraction, version 1',
    EFFECT.forget,
    { sees: 'forget', about: 'pnpm', quote: 'forget pnpm', only: false, project: 'acme/shop' },
  ],
  [
    'confirmed skill, version 1',
    CONFIRMED_SKILL,
    { stale: 1, refreshedAt: 5, tasks: [{ path: '/s', at: 1, learningId: 'lrn-a', reason: 'update' }] },
  ],
  ['imports that wait, version 1', IMPORT_BATCHES, { batches: [{ from: 'team.tar', at: 1, same: 2 }] }],
  [
    'pending merge, version 1',
    PENDING_MERGE,
    { stage: 'import-1', from: 'team.tar', trust: 'mine', offset: 5, last: 9, unit: 15 },
  ],
  ['pending import, version 1', PENDING_IMPORT, { stage: 'import-1', phase: 'out' }],
];

// A field added to a schema without a new version makes the second expectation fail: the row lacks what the schema has.
test.each(EARLIER)('a row of %s is read as the schema has it today', (_what, column, row) => {
  const read = column.read(JSON.stringify(row));
  expect(read).not.toHaveProperty('v');
  expect(column.schema.parse(read)).toEqual(read);
  expect(column.read(column.write(read))).toEqual(read);
  expect(column.anyVersion.safeParse(row).success).toBe(true);
});

test('fields that the first moments lack are filled in', () => {
  expect(MOMENT_PAYLOAD.read(JSON.stringify(MOMENT_1))).toEqual({
    ...MOMENT_1,
    type: 'correction',
    speculative: false,
  });
});

test('a note that an earlier version wrote is a learning like any other', () => {
  const { db } = tempStore();
  db.exec(`INSERT INTO shard (id, project, branch) VALUES (7, 'github.com/acme/shop', '')`);
  db.prepare(
    `INSERT INTO learning (id, shard, note, created_at, updated_at, document_path, document_hash) VALUES ('lrn-a', 7, ?, 1, 2, 'a.md', 'h')`,
  ).run(JSON.stringify(NOTE_1));
  expect(getLearning(db, 'lrn-a')).toMatchObject({ ...NOTE_1, id: 'lrn-a', createdAt: 1 });
});

/** These files parse JSON that is not a column, or columns without a schema: lists, records, other programs' texts. */
const PARSE_THEMSELVES = [
  'archive/tables.ts',
  'capture/transcripts.ts',
  'learnings/document-format.ts',
  'learnings/signals.ts',
  'outcomes/loops.ts',
  'outcomes/traces.ts',
  'persisted-json.ts',
];

test('the store reads its JSON columns through their versions', () => {
  const folder = import.meta.dirname;
  const parsing = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => readFileSync(join(folder, file), 'utf8').includes('JSON.parse('))
    .map((file) => file.replaceAll('\\', '/'));
  expect(parsing.toSorted()).toEqual(PARSE_THEMSELVES);
});
