import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { ingestDocuments } from '../knowledge/hand-edits.ts';
import { askMerge, addGap } from '../store/learnings/questions.ts';
import { linkCommit } from '../store/capture/commits.ts';
import { putCorpus } from '../store/learnings/corpora.ts';
import { documentOf, listDocuments } from '../store/learnings/documents.ts';
import { changeLearning } from '../store/learnings/write.ts';
import { rememberProject } from '../store/learnings/learnings.ts';
import { linkChunk } from '../store/learnings/lineage.ts';
import { putPersonaFact } from '../store/distill/persona.ts';
import { setSignals } from '../store/learnings/signals.ts';
import { putSlot, recordSlotChange } from '../store/learnings/slots.ts';
import { enqueueMoment, settleMoment } from '../store/capture/moments.ts';
import { EDITED, given, START, type TempStore, tempStore } from '../testing/temp-home.ts';
import { NEWEST, tablesAt } from '../store/archive/schema.ts';
import type { Manifest } from './layout.ts';
import { readTar } from './tar.ts';
import { TarWriter } from './tar.ts';
import type { ArchiveParts } from './archive-parts.ts';
import { sha256 } from '../platform/sha256.ts';

export const silent = (): void => {};

export const partsOf = (store: TempStore): ArchiveParts => ({
  store,
  staging: store.paths.staging,
  backups: store.paths.backups,
  keys: store.paths.keys,
  signal: new AbortController().signal,
});

export function archivePath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'reflect-archive-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, `${randomUUID()}.tar`);
}

export const SHOP = 'github.com/acme/shop';

/** A knowledge base with one of everything, including what people and crashes leave behind. */
export function fullStore(): TempStore {
  const store = tempStore();
  const { db, documents } = store;
  const pnpm = given(store, {
    title: 'Install with pnpm',
    rule: 'Never npm.',
    project: SHOP,
    tags: ['tools', 'node'],
    entities: [
      { name: 'pnpm', type: 'tool' },
      { name: 'npm', type: 'tool' },
    ],
    relations: [{ source: 'pnpm', target: 'npm', type: 'supersedes', strength: 7 }],
  }).learning;
  const tax = given(store, {
    title: 'Round tax half up',
    body: 'Once per invoice, 😀 never per line.',
    project: SHOP,
    branch: `feature/${'tax-'.repeat(30)}`,
  }).learning;
  const twin = given(store, { title: 'Use pnpm to install', project: SHOP, status: 'proposed' }).learning;
  const gone = given(store, { title: 'Ask Bob', scope: 'global' }).learning;
  const byHand = given(store, { title: 'Deploy on Mondays', project: 'github.com/acme/billing' }).learning;
  const broken = given(store, { title: 'Keep the cache warm', project: 'github.com/acme/billing' }).learning;
  store.tick(1_000);
  changeLearning(store, pnpm.id, { rule: 'Never npm, never yarn.' }, EDITED);
  changeLearning(store, gone.id, { status: 'forgotten' }, EDITED);
  setSignals(db, tax.id, { qValue: 0.7, uses: 3, recallCount: 9, lastRecalledAt: START });
  askMerge(store, { at: START, similarity: 0.98, existingId: pnpm.id, incomingId: twin.id });
  rememberProject(db, { id: SHOP, name: 'The shop', root: '/home/ada/shop' }, START);
  rememberProject(db, { id: 'elsewhere', name: 'No note of it', root: '/home/ada/else' }, START);
  for (const name of ['zebra', 'guidance']) {
    putSlot(db, {
      project: SHOP,
      name,
      content: `text of ${name}`,
      description: '',
      sizeLimit: 500,
      readOnly: false,
      updatedAt: START,
    });
    recordSlotChange(db, {
      at: START,
      actor: 'person',
      kind: 'create',
      project: SHOP,
      name,
      before: null,
      after: null,
    });
  }
  putPersonaFact(
    db,
    SHOP,
    { field: 'testing_style', value: 'TDD', confidence: 0.9, sources: [tax.id] },
    START,
  );
  putCorpus(db, { name: 'node', filter: { tags: ['node'] }, builtAt: START, version: 3, members: [pnpm.id] });
  addGap(db, { at: START, query: 'how to ship', normalized: 'ship', project: SHOP, session: 's' });
  linkCommit(db, {
    sha: '1a2b3c4d5e6f',
    session: 's',
    project: SHOP,
    branch: 'main',
    message: 'feat: tax',
    conflictResolved: false,
    at: START,
  });
  moment(store, 'waiting', null);
  moment(store, 'noticed', tax.id);
  const edit = (id: string, change: (markdown: string) => string) => {
    const file = join(documents, documentOf(db, id)?.path ?? '');
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  };
  edit(byHand.id, (markdown) => markdown.replace('title:', '# mine\ntitle:'));
  edit(broken.id, (markdown) => markdown.replace('title:', 'title: [oops'));
  writeFileSync(join(documents, 'no-front-matter.md'), 'just words\n');
  writeFileSync(join(documents, 'für später.md'), 'just words\n');
  ingestDocuments(store, listDocuments(documents));
  return store;
}

function moment(store: TempStore, key: string, learning: string | null): void {
  const payload = {
    quote: 'no, half up',
    type: 'correction',
    speculative: false,
    why: ['human'],
    score: 1,
    span: { start: 5, end: 9 },
    turns: [{ role: 'human', text: 'no, half up', at: 1, trigger: true }],
  };
  const row = {
    key,
    chunkHash: 'h',
    signal: 'signal.correction',
    agent: 'claude-code',
    session: 's',
    transcript: '/home/ada/t.jsonl',
    project: SHOP,
    branch: null,
    at: START,
    payload: JSON.stringify(payload),
  };
  const id = enqueueMoment(store.db, row, START + 1e12) ?? 0;
  if (learning === null) return;
  settleMoment(store.db, id, 'kept', learning);
  linkChunk(store.db, id, learning);
}

/** Every file below a folder: path and content. */
export function filesIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files.toSorted().map((file) => [file.slice(folder.length + 1), readFileSync(file, 'base64')]),
  );
}

const TABLES = tablesAt(NEWEST);

/** Every row of every table that is replaced as a whole. */
export function rowsOf({ db }: Pick<TempStore, 'db'>): Record<string, unknown[]> {
  return Object.fromEntries(
    TABLES.filter(({ whole }) => whole !== false).map(({ name, order }) => [
      name,
      db
        .prepare<[], Record<string, unknown>>(`SELECT * FROM ${name} ORDER BY ${order}`)
        .all()
        .map(({ document_stat: _, ...row }) => row),
    ]),
  );
}

/** Everything in a store that an import can change. */
export const everything = (store: TempStore): unknown => ({
  rows: rowsOf(store),
  files: filesIn(store.documents),
});

/** The members of an archive, to be changed and written again. */
export async function membersOf(path: string): Promise<Map<string, Buffer>> {
  const file = await open(path, 'r');
  const members = new Map<string, Buffer>();
  try {
    for await (const { name, chunks } of readTar(file)) {
      const parts: Buffer[] = [];
      for await (const chunk of chunks()) parts.push(Buffer.from(chunk));
      members.set(name, Buffer.concat(parts));
    }
  } finally {
    await file.close();
  }
  return members;
}

export async function writeMembers(members: Iterable<[string, Buffer]>): Promise<string> {
  const path = archivePath();
  const file = await open(path, 'wx');
  try {
    const tar = new TarWriter(file);
    for (const [name, content] of members) await tar.add(name, content);
    await tar.finish();
  } finally {
    await file.close();
  }
  return path;
}

export function editManifest(members: Map<string, Buffer>, edit: (manifest: Manifest) => object): void {
  members.set(
    'manifest.json',
    Buffer.from(JSON.stringify(edit(JSON.parse(String(members.get('manifest.json'))) as Manifest))),
  );
}

/** Changes the database inside an archive and updates the manifest, so that only the change itself can be detected. */
export function editDatabase(members: Map<string, Buffer>, edit: (db: Database.Database) => void): void {
  const file = archivePath();
  writeFileSync(file, members.get('reflect.db') ?? '');
  const db = new Database(file);
  db.pragma('foreign_keys = OFF');
  edit(db);
  const tables = TABLES.map(({ name }) => name).filter((name) =>
    db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name),
  );
  const counts = Object.fromEntries(
    tables.map((name) => [name, db.prepare(`SELECT count(*) FROM ${name}`).pluck().get() as number]),
  );
  db.close();
  const bytes = readFileSync(file);
  members.set('reflect.db', bytes);
  editManifest(members, (manifest) => ({
    ...manifest,
    db_sha256: sha256(bytes),
    tables: counts,
  }));
}
