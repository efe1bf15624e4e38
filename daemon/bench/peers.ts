// Reflect beside other ways to search: `npm run bench:peers [-- --data DIR --size 1000,10000 --only lancedb,fts5
// --document]`. The peers are installed from npm into a cache folder. All get the same documents, questions and vectors
// of the first embedder, question by question in one run. A hundred thousand notes take all of them half an hour.
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Note, type NoteInput } from '#contract/entities.ts';
import { messageOf } from '#contract/errors.ts';
import { answer, type RecallParts } from '../recall/recall.ts';
import { fillStore, insertRow } from '../recall/bench/corpus-store.ts';
import { type LabelledSet, readSets } from '../recall/bench/datasets.ts';
import { average, judge, type Quality } from '../recall/bench/metrics.ts';
import { embeddedText } from '../store/search/note-text.ts';
import type { WritableDb } from '../store/db.ts';
import { openStore } from '../store/open.ts';
import { putVector, type VectorTable } from '../store/search/vectors.ts';
import { makeNotes, makeQuestions, makeVectors } from './corpus.ts';
import { ROOT } from './daemon-process.ts';
import { embedSome, type Some, someTokens } from './home.ts';
import { type BenchModels, openModels } from './models.ts';
import { useOf, watchContention } from './machine.ts';
import { claudeMem } from './peers/claude-mem.ts';
import { install } from './peers/install.ts';
import { lanceDb } from './peers/lancedb.ts';
import { memoryServer } from './peers/memory-server.ts';
import { miniSearch } from './peers/minisearch.ts';
import { orama } from './peers/orama.ts';
import type { OpenPeer, Peer, PeerDocument } from './peers/peer.ts';
import { plainSqlite } from './peers/plain-sqlite.ts';
import { qmd } from './peers/qmd.ts';
import { asText, type PeersFigures, type SpeedRow, writePeers } from './peers/report.ts';
import { fillSearchCache, recallParts, vectorTables } from './recall-parts.ts';
import { percentile, timed } from './statistics.ts';

const ALL: readonly Peer[] = [plainSqlite, miniSearch, orama, lanceDb, memoryServer, claudeMem, qmd];
const LIMIT = 10;
const WARM_UP = 10;
const QUESTIONS = 60;
const CLIENTS = 8;
const TOGETHER = 320; // questions of all clients

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    size: { type: 'string', default: '1000,10000' },
    sample: { type: 'string', default: '150' },
    /** Only the peers with one of these in their name. */
    only: { type: 'string', default: '' },
    document: { type: 'boolean', default: false },
  },
});
const PEERS = ALL.filter(({ name }) =>
  values.only.split(',').some((part) => name.toLowerCase().includes(part.toLowerCase())),
);
const say = (line: string) => process.stderr.write(`· ${line}\n`);

const figures: PeersFigures = { quality: {}, speed: [], notRun: new Map(), contention: 0 };

interface Opened {
  peer: Peer;
  index: OpenPeer;
  fillMs: number;
  bytes: number;
}

/** The documents in every peer that starts. */
async function openPeers(folder: string, documents: readonly PeerDocument[]): Promise<Opened[]> {
  const peers: Opened[] = [];
  for (const peer of PEERS.filter(({ most = Infinity }) => documents.length <= most)) {
    const own = mkdtempSync(join(folder, 'peer-'));
    try {
      const modules = install(peer, say);
      const start = performance.now();
      const index = await peer.open(modules, own, documents);
      peers.push({ peer, index, fillMs: performance.now() - start, bytes: sizeOf(own) });
    } catch (error) {
      const reason = messageOf(error);
      say(`${peer.name} does not run: ${reason}`);
      const [first = '', ...more] = reason.split('\n');
      const ofNpm = more.filter((line) => line.startsWith('npm error ')).slice(0, 2);
      figures.notRun.set(peer.name, ofNpm.join('; ') || first);
    }
  }
  return peers;
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

const textOf = (note: NoteInput) => embeddedText(Note.parse({ scope: 'global', ...note }));

/** A labelled set with real vectors. */
async function openSet(set: LabelledSet, models: BenchModels) {
  const db = await fillStore(set, models);
  const documents: PeerDocument[] = [];
  for (const { key, note } of set.documents) {
    const text = textOf(note);
    documents.push({ id: key, text, vector: await models.document('embedder', text) });
  }
  return { db, documents };
}

/** Made notes with vectors near real ones: embedding them all would take longer than everything else. */
async function openMade(set: LabelledSet, { inference }: BenchModels, folder: string) {
  const { db } = openStore(join(folder, `reflect-${set.documents.length}.db`), join(folder, 'backups'));
  const tables: Array<{ table: VectorTable } & Some> = [];
  for (const { role, table } of vectorTables(db, inference)) {
    const { vectors, tokens } = await embedSome(inference, role, set.documents.length);
    tables.push({ table, vectors: makeVectors(vectors, set.documents.length), tokens });
  }
  const start = performance.now();
  db.transaction(() =>
    set.documents.forEach(({ note }, at) => {
      insertRow(db, at + 1, Note.parse(note), at);
      for (const { table, vectors, tokens } of tables)
        putVector(db, table, at + 1, vectors[at] ?? new Float32Array(table.dims), someTokens(tokens, at));
    }),
  )();
  fillSearchCache(db, inference);
  const fillMs = performance.now() - start;
  const documents = set.documents.map(({ key, note }, at): PeerDocument => ({
    id: key,
    text: textOf(note),
    vector: tables[0]?.vectors[at] ?? new Float32Array(),
  }));
  return { db, documents, fillMs };
}

const ask = async (parts: RecallParts, set: LabelledSet, query: string): Promise<string[]> => {
  const knobs = { RECALL_CROSS_ENCODER: false, REFLECT_RECALL_MIN_OVERLAP: 0 };
  const { hits } = await answer(parts, { query, global: true, limit: LIMIT, knobs }, { quiet: true });
  // Row n of a filled store is `doc-<n − 1>`.
  return hits.map(({ learning }) => set.documents[Number(learning.id.slice('doc-'.length))]?.key ?? '');
};

async function measureQuality(models: BenchModels, folder: string): Promise<void> {
  const found = new Map<string, Map<string, Quality[]>>();
  const note = (system: string, kind: string, quality: Quality) => {
    const kinds = found.get(system) ?? new Map<string, Quality[]>();
    found.set(system, kinds.set(kind, [...(kinds.get(kind) ?? []), quality]));
  };
  const sets = readSets(values.data);
  for (const set of sets) {
    const kind = set.name.split('/')[0] ?? set.name;
    const share = Number(values.sample) / sets.filter(({ name }) => name.startsWith(kind)).length;
    const { db, documents } = await openSet(set, models);
    fillSearchCache(db, models.inference);
    const parts = recallParts(db, models.inference, folder);
    const peers = await openPeers(folder, documents);
    const step = Math.max(1, set.queries.length / share);
    for (let at = 0; at < set.queries.length; at += step) {
      const labelled = set.queries[Math.floor(at)];
      if (!labelled) continue;
      const { query, relevant } = labelled;
      const vector = await models.query('embedder', query);
      note('Reflect', kind, judge(await ask(parts, set, query), relevant));
      for (const { peer, index } of peers)
        note(peer.name, kind, judge(await index.search(query, vector, LIMIT), relevant));
    }
    for (const { index } of peers) index.close();
    db.close();
  }
  for (const [system, kinds] of found)
    figures.quality[system] = Object.fromEntries([...kinds].map(([kind, all]) => [kind, average(all)]));
}

/** Made notes and questions, of any number. */
async function measureMade(models: BenchModels, folder: string, size: number): Promise<void> {
  const set: LabelledSet = {
    name: `${size.toLocaleString('en').replaceAll(',', ' ')} made learnings`,
    documents: makeNotes(size).map((note, at) => ({ key: String(at), note, at: 0 })),
    queries: makeQuestions(WARM_UP + QUESTIONS + TOGETHER, size + 3).map((query) => ({
      query,
      relevant: [],
    })),
  };
  await measureSpeed(models, folder, set, await openMade(set, models, folder));
}

/** The labelled notes, with the questions that are asked of them. How alike notes are decides how long they take. */
async function measureReal(models: BenchModels, folder: string): Promise<void> {
  for (const set of readSets(values.data).filter(({ name }) => name === 'notes')) {
    const { db, documents } = await openSet(set, models);
    fillSearchCache(db, models.inference);
    const named = { ...set, name: `${set.documents.length} notes of real sessions` };
    await measureSpeed(models, folder, named, { db, documents, fillMs: NaN });
  }
}

/** Times include embedding the question: by one embedder for a peer, by one or both for Reflect. */
async function measureSpeed(
  { inference }: BenchModels,
  folder: string,
  set: LabelledSet,
  { db, documents, fillMs }: { db: WritableDb; documents: PeerDocument[]; fillMs: number },
): Promise<void> {
  const size = documents.length;
  const parts = recallParts(db, inference, folder);
  const peers = await openPeers(folder, documents);
  const systems: System[] = [
    {
      name: 'Reflect',
      search: (query) => ask(parts, set, query),
      bytes: db.memory ? NaN : statSync(db.name).size,
      fillMs,
    },
    ...peers.map(({ peer, index, fillMs: took, bytes }) => ({
      name: peer.name,
      search: async (query: string) => {
        // Other words at the end, because a vector is remembered for the same ones.
        const vector = peer.byMeaning
          ? await inference.embedQuery('embedder', `${query} ${peer.name}`)
          : new Float32Array();
        return index.search(query, vector, LIMIT);
      },
      bytes,
      fillMs: took,
    })),
  ];
  const questions = set.queries.map(({ query }) => query);
  const settled = async () => {
    while (inference.isBusy()) await setTimeout(1);
  };
  const times = await oneClient(systems, questions.slice(0, WARM_UP + QUESTIONS), settled);
  const rows: SpeedRow[] = [];
  for (const { name, search, bytes, fillMs: took } of systems) {
    const all = times.get(name) ?? [];
    rows.push({
      name,
      p50: percentile(all, 0.5),
      p95: percentile(all, 0.95),
      perSecond: await manyClients(search, questions.slice(WARM_UP + QUESTIONS).slice(0, TOGETHER)),
      bytesPerNote: bytes / size,
      fillMs: (took / size) * 1_000,
    });
  }
  figures.speed.push({ name: set.name, rows });
  for (const { index } of peers) index.close();
  db.close();
  say(`measured ${set.name}, ${useOf('self').rssMb.toFixed(0)} MB`);
}

interface System {
  name: string;
  search: (query: string) => Promise<string[]>;
  bytes: number;
  fillMs: number;
}

/** Milliseconds of every question but the first, asked of each system in turn, when nothing runs for the one before. */
async function oneClient(
  systems: readonly System[],
  questions: readonly string[],
  settled: () => Promise<void>,
): Promise<Map<string, number[]>> {
  const times = new Map(systems.map(({ name }) => [name, [] as number[]]));
  for (const [at, query] of questions.entries())
    for (const { name, search } of systems) {
      await settled();
      const ms = await timed(() => search(query));
      if (at >= WARM_UP) times.get(name)?.push(ms);
    }
  return times;
}

/** Questions a second that one system answers when all clients ask at once, each its next when it has an answer. */
async function manyClients(search: System['search'], questions: readonly string[]): Promise<number> {
  const waiting = questions.values();
  const client = async () => {
    for (const query of waiting) await search(query);
  };
  const ms = await timed(() => Promise.all(Array.from({ length: CLIENTS }, client)));
  return (questions.length / ms) * 1_000;
}

const models = await openModels();
const folder = mkdtempSync(join(tmpdir(), 'reflect-peers-'));
try {
  if (existsSync(values.data)) await measureQuality(models, folder);
  else say(`there is no labelled set in ${values.data}, so only speed is measured`);
  const others = watchContention();
  for (const size of values.size.split(',').map(Number)) await measureMade(models, folder, size);
  if (existsSync(values.data)) await measureReal(models, folder);
  figures.contention = others();
  process.stdout.write(asText(figures));
  if (values.document) writePeers(join(ROOT, 'docs'), figures);
} finally {
  await models.inference.close();
  rmSync(folder, { recursive: true, force: true });
}
