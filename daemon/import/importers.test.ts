import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { testImporter, writeFiles } from '../testing/importer-suite.ts';
import { tempFolder } from '../testing/temp-home.ts';
import { aiwg } from './aiwg.ts';
import { bao } from './bao.ts';
import { basicMemory } from './basic-memory.ts';
import { claudeMem } from './claude-mem.ts';
import { claudeMemory } from './claude-memory.ts';
import { importerFor, IMPORTERS } from './importers.ts';
import { instructions } from './instructions.ts';
import { markdown } from './markdown.ts';
import { reflectMemory } from './reflect-memory.ts';
import { reflectMemoryArchive } from './reflect-archives.ts';
import { tarOf } from './testing.ts';

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url));

/** The least a note has: no id, no dates, and a project by its name alone. */
const SHORT_NOTE = `---
title: "Build the SDK again after orders.graphql changes"
category: reliability
tags: [graphql, sdk]
confidence: 0.8
project_id: order-svc
problem: "orders.graphql was changed and the SDK was not built again"
fix: "Run \`make sdk\`; the pipeline checks it"
rule: "A change of the schema ships with its SDK"
---
`;

const LEARNING = `---
type: learning
id: lrn-lock-the-row-1a2b3c
created: 2026-03-01T10:00:00Z
updated: 2026-03-02T10:00:00Z
scope: universal
confidence: high
confidence_num: 0.92
learning_type: bug-fix
discovery_tokens: 4100
title: Lock the row before the balance is read
tags: [postgres, locking]
symptoms: [lost update]
key_insight: Two transfers read the same balance
root_cause: The balance was read without a lock
entities: [postgres]
causal_relations:
  - { source: missing lock, target: lost update, type: causes }
provenance:
  source_tool: claude
  content_hash: 0123456789abcdef
  proof_count: 3
---

## Problem
Two transfers at once lost one of them.
`;

const ENTITIES = `document_id: lrn-lock-the-row-1a2b3c
extracted_at: 2026-03-01T10:00:00Z
entities:
  - { name: postgres, type: technology, description: the database }
  - { name: Ada, type: person }
relationships:
  - { source: postgres, target: lock, type: owns, strength: 14, tcommit: 2026-03-01T10:00:00Z }
`;

const LEARNED = {
  note: {
    title: 'Lock the row before the balance is read',
    type: 'bug-fix',
    confidence: 0.92,
    rootCause: 'The balance was read without a lock',
    frontMatter: { symptoms: ['lost update'], discovery_tokens: 4100 },
    metadata: { imported: { id: 'lrn-lock-the-row-1a2b3c', scope: 'universal', confidence: 'high' } },
    entities: [
      { name: 'postgres', type: 'technology' },
      { name: 'Ada', type: 'concept' },
    ],
    relations: [
      { source: 'postgres', type: 'relates_to', strength: 10, committedAt: Date.UTC(2026, 2, 1, 10) },
      { source: 'missing lock', target: 'lost update', type: 'causes' },
    ],
  },
  createdAt: Date.UTC(2026, 2, 1, 10),
  updatedAt: Date.UTC(2026, 2, 2, 10),
};

testImporter(reflectMemory, {
  files: {
    'documents/a-short.md': SHORT_NOTE,
    'documents/b-lock.md': LEARNING,
    'documents/b-lock.entities.yaml': ENTITIES,
    'documents/c-old.md': '---\ntitle: Old\nconfidence: low\nrule: x\nsuperseded_by: lrn-new-1\n---\n',
    'documents/c-put-away.md': '---\ntitle: Away\nconfidence: low\nrule: x\nstatus: deprecated\n---\n',
    'documents/d-broken.md': '---\ntitle: "Broken\nconfidence: low\n---\n',
  },
  found: [
    {
      source: join('documents', 'a-short.md'),
      project: 'order-svc',
      note: {
        title: 'Build the SDK again after orders.graphql changes',
        category: 'reliability',
        confidence: 0.8,
        problem: 'orders.graphql was changed and the SDK was not built again',
        rule: 'A change of the schema ships with its SDK',
      },
    },
    LEARNED,
    { skipped: 'it was superseded there by lrn-new-1' },
    { skipped: 'it is deprecated there' },
    { problem: expect.stringMatching(/^the front matter is not valid YAML: .*\d$/) as string },
  ],
});

testImporter(reflectMemoryArchive, {
  path: 'kb.tar',
  files: (folder) =>
    tarOf(join(folder, 'kb.tar'), {
      'documents/b-lock.entities.yaml': ENTITIES,
      'documents/b-lock.md': LEARNING,
      'documents/.forgotten/a-flag.md': '---\ntitle: Flag\nconfidence: low\nrule: Keep the flag\n---\n',
      'manifest.json': JSON.stringify({
        db_file: 'reflect.db',
        document_count: 2,
        documents: ['b-lock.entities.yaml', 'b-lock.md'],
        format_version: 1,
        kind: 'reflect-kb-export',
        tables: { learnings: 1 },
      }),
      'reflect.db': 'not read',
    }),
  found: [LEARNED],
});

test('an export of Reflect is recognised by its content, however it is named', async () => {
  const file = join(tempFolder(), 'notes-of-ann.bak');
  await tarOf(file, { 'manifest.json': JSON.stringify({ kind: 'reflect-kb-export', db_sha256: 'a' }) });
  expect((await importerFor(file, undefined)).kind).toBe('reflect-archive');
});

testImporter(basicMemory, {
  files: {
    'main/Authentication Design.md': `---
title: Authentication Design
type: note
tags: [auth, backend]
permalink: main/authentication-design
schema: Design
---

# Authentication Design

## Observations
- [decision] Sessions, not tokens, because they can be revoked #security
- [ ] write the migration

## Relations
- depends_on [[User Table]]
- prevents [[Token Theft]] (since 2026)
`,
    'main/plain.md': '# A plain note\n\nWithout front matter.\n',
  },
  found: [
    {
      note: {
        title: 'Authentication Design',
        type: 'decision',
        tags: ['auth', 'backend', 'security'],
        frontMatter: { permalink: 'main/authentication-design', schema: 'Design' },
        relations: [
          {
            source: 'Authentication Design',
            target: 'User Table',
            type: 'relates_to',
            description: 'depends_on',
          },
          { target: 'Token Theft', type: 'prevents', description: 'since 2026' },
        ],
      },
    },
    { note: { title: 'A plain note', type: 'reference' } },
  ],
});

testImporter(instructions, {
  files: {
    'AGENTS.md': `# Shop

A shop for books.

## Commands
- Run the tests with \`pnpm test\`, never with npm.
  It needs the database of docker-compose.
- ok

\`\`\`sh
# not a heading
\`\`\`

## Style
Prefer small functions. They are easier to test.

@docs/more.md
`,
    'node_modules/x/CLAUDE.md': '- A rule of a package, which is nobody’s\n',
    'README.md': '- Not an instruction for agents\n',
  },
  found: [
    { source: 'AGENTS.md, rule 1', note: { title: 'Shop', body: 'A shop for books.' } },
    {
      source: 'AGENTS.md, rule 2',
      note: {
        title: 'Run the tests with `pnpm test`, never with npm.',
        rule: 'Run the tests with `pnpm test`, never with npm.',
        tags: ['commands'],
        body: expect.stringContaining(
          'It needs the database of docker-compose.\n\nFrom “Shop › Commands”.',
        ) as string,
      },
    },
    { note: { title: 'Style', body: 'Prefer small functions. They are easier to test.' } },
  ],
});

testImporter(claudeMemory, {
  files: {
    'projects/-home-ada-shop/s1.jsonl': '{"type":"user","cwd":"/home/ada/shop"}\n',
    'projects/-home-ada-shop/memory/MEMORY.md': '- [No mocks](feedback_mocks.md) — real database\n',
    'projects/-home-ada-shop/memory/feedback_mocks.md': `---
name: no-mocks
description: Integration tests use a real database
metadata:
  type: feedback
---

Integration tests must hit a real database.

**Why:** mocked tests passed while the migration failed.

**How to apply:** start the compose file first.
`,
    'projects/-home-ada-shop/memory/user_role.md':
      '---\nname: role\ndescription: Ada leads the data team\ntype: user\n---\nAda leads the data team.\n',
    'projects/-home-ada-shop/notes.md': 'Not a memory.\n',
  },
  path: 'projects',
  found: [
    {
      project: '/home/ada/shop',
      note: {
        title: 'Integration tests use a real database',
        type: 'correction',
        rule: 'Integration tests must hit a real database.',
        rootCause: 'mocked tests passed while the migration failed.',
        fix: 'start the compose file first.',
        frontMatter: { name: 'no-mocks' },
      },
    },
    { note: { title: 'Ada leads the data team', type: 'preference', tags: ['user'] } },
  ],
});

testImporter(claudeMem, {
  files: (folder) => writeFileSync(join(folder, 'claude-mem.db'), gunzipSync(fixture('claude-mem.db.gz'))),
  found: [
    {
      source: 'observation 1',
      project: 'shop',
      createdAt: Date.UTC(2026, 4, 3, 9),
      note: {
        title: 'Checkout failed on Sundays because the tax table was empty',
        type: 'bug-fix',
        tags: ['problem-solution', 'gotcha', 'bugfix'],
        keyInsight: 'The nightly job does not run on Saturdays',
        body: expect.stringContaining('- The job is skipped on Saturdays') as string,
        metadata: { files: ['src/checkout.ts', 'src/tax.ts'], discoveryTokens: 1_200 },
      },
    },
    { note: { title: 'Amounts are kept as whole cents', type: 'decision', confidence: 0.6 } },
    { note: { title: 'Renamed the invoice column', confidence: 0.4 } },
    {
      source: 'summary 1',
      note: {
        title: 'The tax table is empty until the nightly job has run.',
        task: 'Why does the checkout fail on Sundays?',
      },
    },
  ],
});

const iteration = (number: number, passed: boolean, reflection: object) =>
  JSON.stringify({
    loop_id: 'ralph-fix-auth',
    iteration: number,
    timestamp: '2026-02-01T08:00:00Z',
    actor_output: {
      actions: [{ type: 'code_modification', description: 'Changed the guard' }],
      rationale: 'Try it',
    },
    evaluator_output: {
      passed,
      verification_type: 'unit_tests',
      errors: passed ? [] : [{ type: 'test_failure', message: 'expected 401, got 500' }],
    },
    self_reflection: reflection,
    memory_metadata: { omega_capacity: 3, current_memory_size: 1 },
  });

testImporter(aiwg, {
  files: {
    'shop/.aiwg/ralph/reflections/ralph-fix-auth/001.json': iteration(0, false, {
      reflection_text: 'The guard throws before it answers.',
      credit_assignment: { root_cause: 'The error handler runs first', failure_category: 'logic_error' },
      actionable_insights: ['Answer before the handler runs'],
      lessons_learned: ['Return 401 in the guard itself'],
      confidence: 0.8,
    }),
    'shop/.aiwg/ralph/reflections/ralph-fix-auth/002.json': iteration(1, true, { reflection_text: '' }),
    'shop/.aiwg/ralph/current-loop.json': '{"iteration":2}',
  },
  found: [
    { skipped: 'it is not a reflection of a loop' },
    {
      note: {
        title: 'Return 401 in the guard itself',
        rule: 'Return 401 in the guard itself',
        outcome: 'fail',
        problem: 'expected 401, got 500',
        rootCause: 'The error handler runs first',
        fix: 'Answer before the handler runs',
        metadata: { loop: 'ralph-fix-auth', iteration: 0 },
      },
    },
    { problem: 'it says nothing that was learned' },
  ],
});

const EXPERIENCE = `[Task] Rebase the release branch
[Outcome] failed
[Category] coding
[Quality] 4
[Uses] 5
[Successes] 4
[Lessons] Fetch before a rebase, or the old head comes back.
It cost an hour.
[Keywords] git rebase, merge conflict
[Trace] rebase → conflict → reset
`;

testImporter(bao, {
  files: {
    'memory.jsonl': [
      {
        key: 'k1',
        content: EXPERIENCE,
        type: 'experience',
        category: 'coding',
        updated_at: '2026-03-01T00:00:00Z',
      },
      { key: 'k2', content: EXPERIENCE, type: 'experience', deprecated: true },
      { key: 'long_term', content: 'Likes tea', type: 'long_term' },
      {
        key: 'experience_2026-04-01',
        content:
          'Task: Release\nLessons: Tag after the build.\nNot before.\nKeywords: tag\nTrace: tag → build',
        type: 'experience',
        category: 'coding',
        quality: 5,
        uses: 2,
        successes: 1,
        outcome: 'success',
        deprecated: false,
        updated_at: '2026-04-01T09:00:00',
      },
    ]
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(''),
  },
  found: [
    {
      createdAt: Date.UTC(2026, 2, 1),
      note: {
        title: 'Fetch before a rebase, or the old head comes back.',
        category: 'coding',
        type: 'gotcha',
        outcome: 'fail',
        task: 'Rebase the release branch',
        confidence: 0.8,
        tags: ['git rebase', 'merge conflict'],
        rule: 'Fetch before a rebase, or the old head comes back.\nIt cost an hour.',
        metadata: { quality: 4, uses: 5, successes: 4 },
      },
    },
    { skipped: 'it is deprecated there' },
    { skipped: 'it is long_term, not an experience' },
    {
      note: {
        title: 'Tag after the build.',
        outcome: 'pass',
        task: 'Release',
        confidence: 1,
        tags: ['tag'],
        rule: 'Tag after the build.\nNot before.',
        body: 'tag → build',
        metadata: { quality: 5, uses: 2, successes: 1 },
      },
    },
  ],
});

test('Bao’s own table is named for what it is, with the way to export it', async () => {
  const workspace = tempFolder();
  const folder = join(workspace, 'lancedb');
  const table = join(folder, 'memory.lance');
  writeFiles(table, { 'data/1.lance': 'x' });
  for (const path of [workspace, folder, table]) {
    expect((await importerFor(path, undefined)).kind).toBe('bao');
    expect([...(bao.read(path) as Iterable<object>)]).toMatchObject([
      { source: table, problem: expect.stringContaining(`"${folder}" > bao.jsonl`) as string },
    ]);
  }
});

testImporter(markdown, {
  files: {
    'vault/a.md':
      '---\ntags: "#db, #sql"\naliases: [x]\ndate: 2026-01-05\n---\n# Vacuum\n\nVacuum after a mass delete.\n',
    'vault/empty.md': '\n',
  },
  found: [
    {
      createdAt: Date.UTC(2026, 0, 5),
      note: { title: 'Vacuum', tags: ['db', 'sql'], frontMatter: { aliases: ['x'], date: '2026-01-05' } },
    },
    { problem: 'it has no text' },
  ],
});

test.each(IMPORTERS.filter(({ kind }) => kind !== 'reflect-archive'))(
  '$name: a folder that is none of it is reported, never thrown',
  async ({ read }) => {
    const folder = tempFolder();
    writeFiles(folder, { 'x.json': '{', 'x.db': 'text', 'x.md': '---\na: [\n---\n', 'x.tar': 'text' });
    for await (const found of read(folder)) expect(found).not.toHaveProperty('note');
  },
);

test('a folder without notes, and one that is not there, are refused with a sentence', async () => {
  const folder = tempFolder();
  await expect(importerFor(folder, undefined)).rejects.toThrow(
    /nothing in .* can be imported\. Reflect reads/,
  );
  await expect(importerFor(join(folder, 'nope'), undefined)).rejects.toThrow(/nope does not exist/);
});
