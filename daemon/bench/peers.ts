// Reflect beside other ways to search: `npm run bench:peers [-- --data DIR --size 1000,10000]`. The peers are installed
// from npm into a cache folder. All get the same documents, questions and vectors of the first embedder, question by
// question in one run.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Note, type NoteInput } from '#contract/entities.ts';
import { modelsFolder } from '../platform/paths.ts';
import { answer, type RecallParts } from '../recall/recall.ts';
import { fillStore, insertRow } from '../recall/bench/corpus-store.ts';
import { type LabelledSet, readSets } from '../recall/bench/datasets.ts';
import { average, judge, type Quality } from '../recall/bench/metrics.ts';
import { embeddedText } from '../store/search/note-text.ts';
import { openStore } from '../store/open.ts';
import { putVector, type VectorTable } from '../store/search/vectors.ts';
import { makeNotes, makeQuestions, makeVectors } from './corpus.ts';
import { embedSome, type Some, someTokens } from './home.ts';
import { type BenchModels, openModels } from './models.ts';
import { lanceDb } from './peers/lancedb.ts';
import { memoryServer } from './peers/memory-server.ts';
import { miniSearch } from './peers/minisearch.ts';
import { orama } from './peers/orama.ts';
import type { OpenPeer, Peer, PeerDocument } from './peers/peer.ts';
import { plainSqlite } from './peers/plain-sqlite.ts';
import { fillSearchCache, recallParts, vectorTables } from './recall-parts.ts';
import { percentile, timed } from './statistics.ts';

const PEERS: readonly Peer[] = [plainSqlite, miniSearch, orama, lanceDb, memoryServer];
const NOT_RUN = [
  ['claude-mem', 'its memories are written by a model behind a network'],
  ['qmd', 'it downloads its own models at the first search by meaning'],
] as const;
const LIMIT = 10;
const WARM_UP = 10;
const QUESTIONS = 60;
const CLIENTS = 8;
const TOGETHER = 64; // questions of all clients

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    size: { type: 'string', default: '1000,10000' },
    sample: { type: 'string', default: '150' },
  },
});
const say = (line: string) => process.stderr.write(`· ${line}\n`);

/** Installs the packages of all peers, once. */
function install(): string {
  const folder = join(modelsFolder(process.env), '..', 'bench', 'peers');
  mkdirSync(folder, { recursive: true });
  const wanted = PEERS.flatMap((peer) => peer.package ?? []);
  const missing = wanted.filter(
    (name) => !existsSync(join(folder, 'node_modules', name.replace(/@[^@]+$/, ''))),
  );
  if (missing.length === 0) return folder;
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  say(`installing ${missing.join(', ')}`);
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...wanted], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  return folder;
}

/** The documents in every peer that starts. */
async function openPeers(modules: string, folder: string, documents: readonly PeerDocument[]) {
  const peers: Array<{ peer: Peer; index: OpenPeer; fillMs: number; bytes: number }> = [];
  for (const peer of PEERS) {
    const own = mkdtempSync(join(folder, 'peer-'));
    const start = performance.now();
    try {
      const index = await peer.open(modules, own, documents);
      peers.push({ peer, index, fillMs: performance.now() - start, bytes: sizeOf(own) });
    } catch (error) {
      say(`${peer.name} does not run: ${error instanceof Error ? error.message : String(error)}`);
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
    const { vectors, tokens } = await embedSome(inference, role);
    tables.push({ table, vectors: makeVectors(vectors, set.documents.length), tokens });
  }
  db.transaction(() =>
    set.documents.forEach(({ note }, at) => {
      insertRow(db, at + 1, Note.parse(note), at);
      for (const { table, vectors, tokens } of tables)
        putVector(db, table, at + 1, vectors[at] ?? new Float32Array(table.dims), someTokens(tokens, at));
    }),
  )();
  const documents = set.documents.map(({ key, note }, at): PeerDocument => ({
    id: key,
    text: textOf(note),
    vector: tables[0]?.vectors[at] ?? new Float32Array(),
  }));
  return { db, documents };
}

const ask = async (parts: RecallParts, set: LabelledSet, query: string): Promise<string[]> => {
  const knobs = { RECALL_CROSS_ENCODER: false, REFLECT_RECALL_MIN_OVERLAP: 0 };
  const { hits } = await answer(parts, { query, global: true, limit: LIMIT, knobs }, { quiet: true });
  // Row n of a filled store is `doc-<n − 1>`.
  return hits.map(({ learning }) => set.documents[Number(learning.id.slice('doc-'.length))]?.key ?? '');
};

async function measureQuality(models: BenchModels, modules: string, folder: string): Promise<void> {
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
    const peers = await openPeers(modules, folder, documents);
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
  for (const [system, kinds] of found) {
    const cells = [...kinds].map(([kind, qualities]) => {
      const { recall10, mrr } = average(qualities);
      return `${kind} R@10 ${recall10.toFixed(3)} MRR ${mrr.toFixed(3)}`;
    });
    process.stdout.write(`${system.padEnd(30)} ${cells.join('   ')}\n`);
  }
}

/** Times include embedding the question, by one embedder for a peer and by both for Reflect. */
async function measureSpeed(
  models: BenchModels,
  modules: string,
  folder: string,
  size: number,
): Promise<void> {
  const set: LabelledSet = {
    name: `${size} notes`,
    documents: makeNotes(size).map((note, at) => ({ key: String(at), note, at: 0 })),
    queries: [],
  };
  const { db, documents } = await openMade(set, models, folder);
  fillSearchCache(db, models.inference);
  const parts = recallParts(db, models.inference, folder);
  const peers = await openPeers(modules, folder, documents);
  const { inference } = models;
  const systems: System[] = [
    {
      name: 'Reflect',
      search: (query) => ask(parts, set, query),
      more: `${perNote(statSync(db.name).size, size)}`,
    },
    ...peers.map(({ peer, index, fillMs, bytes }) => ({
      name: peer.name,
      search: async (query: string) => {
        // Other words at the end, because a vector is remembered for the same ones.
        const vector = peer.byMeaning
          ? await inference.embedQuery('embedder', `${query} ${peer.name}`)
          : new Float32Array();
        return index.search(query, vector, LIMIT);
      },
      more: `${perNote(bytes, size)}   ${((fillMs / size) * 1_000).toFixed(0)} ms for each 1 000`,
    })),
  ];
  process.stdout.write(
    `\n${size} learnings: p50 and p95 of a question, questions a second from ${CLIENTS} clients, disk, filling\n`,
  );
  const times = await oneClient(systems, size);
  for (const { name, search, more } of systems) {
    const all = times.get(name) ?? [];
    const [middle, slow] = [percentile(all, 0.5), percentile(all, 0.95)].map((ms) =>
      ms.toFixed(1).padStart(7),
    );
    const rate = await manyClients(search, size);
    process.stdout.write(
      `${name.padEnd(30)} ${middle} ${slow} ms ${rate.toFixed(0).padStart(5)}/s ${more}\n`,
    );
  }
  for (const { index } of peers) index.close();
  db.close();
}

interface System {
  name: string;
  search: (query: string) => Promise<string[]>;
  /** Everything else that is known about it. */
  more: string;
}

const perNote = (bytes: number, notes: number) =>
  `${(bytes / notes / 1_000).toFixed(1).padStart(5)} kB a note`;

/** Milliseconds of every question but the first, asked of each system in turn. */
async function oneClient(systems: readonly System[], size: number): Promise<Map<string, number[]>> {
  const times = new Map(systems.map(({ name }) => [name, [] as number[]]));
  for (const [at, query] of makeQuestions(QUESTIONS + WARM_UP, size + 3).entries())
    for (const { name, search } of systems) {
      const ms = await timed(() => search(query));
      if (at >= WARM_UP) times.get(name)?.push(ms);
    }
  return times;
}

/** Questions a second that one system answers when all clients ask at once, each its next when it has an answer. */
async function manyClients(search: System['search'], size: number): Promise<number> {
  const questions = makeQuestions(TOGETHER, size + 4)[Symbol.iterator]();
  const client = async () => {
    for (const query of questions) await search(query);
  };
  const ms = await timed(() => Promise.all(Array.from({ length: CLIENTS }, client)));
  return (TOGETHER / ms) * 1_000;
}

const models = await openModels();
const folder = mkdtempSync(join(tmpdir(), 'reflect-peers-'));
try {
  const modules = install();
  if (existsSync(values.data)) await measureQuality(models, modules, folder);
  else say(`there is no labelled set in ${values.data}, so only speed is measured`);
  for (const size of values.size.split(',').map(Number)) await measureSpeed(models, modules, folder, size);
  process.stdout.write(`\nNot run: ${NOT_RUN.map(([name, why]) => `${name} (${why})`).join('; ')}\n`);
} finally {
  await models.inference.close();
  rmSync(folder, { recursive: true, force: true });
}
