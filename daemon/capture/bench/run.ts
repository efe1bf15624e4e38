// Quality of capture on labelled sessions: `npm run bench:capture [-- --data DIR --json --misses]`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Drain } from '../../drain/drain.ts';
import { ingestBatch } from '../../drain/ingest.ts';
import { heuristic } from '../../drain/writers/heuristic.ts';
import { silentLog } from '../../platform/log.ts';
import { EMBEDDER_ROLES, openModels } from '../../bench/models.ts';
import { recallParts, shippedSettings } from '../../bench/recall-parts.ts';
import { answer, type RecallParts } from '../../recall/recall.ts';
import { VectorIndex } from '../../knowledge/vector-index.ts';
import { openMemoryStore } from '../../store/open.ts';
import type { Store } from '../../store/learnings/write.ts';
import { findLearning } from '../../store/learnings/learnings.ts';
import { findMoment } from '../../store/capture/moments.ts';
import { clean } from '../clean.ts';
import type { Batch } from '../protocol.ts';
import { TranscriptReader } from '../reader.ts';
import { SIGNALS } from '../ports.ts';
import { adapterOf, type Label, type LabelledSession, lineCounter, readLabelled } from './labelled.ts';
import { type Found, score, type Score } from './score.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    json: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    notes: { type: 'boolean', default: false },
  },
});
const LENIENT = 6; // lines
const TOP = 5;
const BARS = { precision: 0.6, recall: 0.6, importantRecall: 0.8, endToEnd: 0.6 };

interface Read {
  session: LabelledSession;
  batches: Batch[];
  found: Array<Found & { key: string; quote: string; why: string[] }>;
}

/** Reads a session as the daemon does, to its end and the silence after it. */
function read(session: LabelledSession): Read {
  const reader = new TranscriptReader(adapterOf(session), session.path, null, (knob) => knob.default);
  const batches: Batch[] = [];
  for (let stretch = reader.read(); stretch; stretch = stretch.caughtUp ? null : reader.read())
    batches.push(clean(stretch));
  const rest = reader.rest();
  if (rest) batches.push(clean(rest));
  const voided = new Set(batches.flatMap((batch) => batch.voided));
  const lineOf = session.path.endsWith('.jsonl') ? lineCounter(session.path) : (position: number) => position;
  const moments = batches
    .flatMap((batch) => batch.moments)
    .filter(({ key, recurring }) => !voided.has(key) && recurring === null);
  return {
    session,
    batches,
    found: moments.map(({ key, signal, span, quote, why }) => ({
      key,
      signal,
      quote,
      why,
      line: lineOf(span.start),
    })),
  };
}

interface EndToEnd {
  captured: number;
  /** Labels found by at least one of their questions, and the share of all questions that found theirs. */
  byLabel: number;
  byQuestion: number;
}

/** The run takes a minute of processor time, so it shows on standard error that it moves. */
function progress(line: string): void {
  process.stderr.write(`· ${line}\n`);
}

const models = await openModels();

/** Builds a knowledge base from each session and asks it the questions of later sessions. */
async function askBack(reads: Read[], say: (line: string) => void): Promise<EndToEnd> {
  const folder = mkdtempSync(join(tmpdir(), 'reflect-capture-'));
  const totals = { captured: 0, labels: 0, questions: 0, hits: 0 };
  for (const [index, { session, batches, found }] of reads.entries()) {
    progress(`asking session ${index + 1} of ${reads.length}`);
    const store: Store = {
      db: openMemoryStore(),
      documents: join(folder, String(totals.captured), 'documents'),
      now: () => Date.UTC(2027, 0, 1),
    };
    const moments = batches.flatMap((batch) => ingestBatch(store, batch, { settleMs: 0, sessionsNeeded: 2 }));
    const settings = shippedSettings(folder);
    const drain = new Drain({
      store,
      writer: heuristic,
      log: silentLog,
      modes: join(folder, 'modes'),
      resolver: () => settings.resolver(),
    });
    await drain.run();
    await drain.stop();
    for (const role of EMBEDDER_ROLES)
      await new VectorIndex(store.db, models.inference, role, silentLog).fill();
    const parts = recallParts(store.db, models.inference, folder, store.now);
    const learningAt = new Map(
      moments.map(({ id, moment }) => [moment.key, findMoment(store.db, id)?.learningId ?? null]),
    );
    if (values.notes)
      for (const { signal, line, quote, key } of found)
        sayNote(say, signal, line, quote, findLearning(store.db, learningAt.get(key) ?? '')?.title);
    for (const label of session.labels) {
      const ids = learningsOf(label, found, learningAt);
      if (ids.length === 0) continue;
      totals.captured++;
      const hits = await Promise.all(label.queries.map((query) => finds(parts, query, ids)));
      totals.labels += Number(hits.includes(true));
      totals.questions += hits.length;
      totals.hits += hits.filter(Boolean).length;
    }
    store.db.close();
  }
  rmSync(folder, { recursive: true, force: true });
  return {
    captured: totals.captured,
    byLabel: totals.labels / totals.captured,
    byQuestion: totals.hits / totals.questions,
  };
}

function learningsOf(label: Label, found: Read['found'], learningAt: Map<string, string | null>): string[] {
  return found
    .filter(({ line }) => [label.line, ...label.also_lines].includes(line))
    .flatMap(({ key }) => learningAt.get(key) ?? []);
}

async function finds(parts: RecallParts, query: string, ids: string[]): Promise<boolean> {
  const { hits } = await answer(parts, { query, global: true, limit: TOP }, { quiet: true });
  return hits.some(({ learning }) => ids.includes(learning.id));
}

const sayNote = (
  say: (line: string) => void,
  signal: string,
  line: number,
  quote: string,
  title: string | undefined,
) => say(`${line} ${signal}\n   said:  ${short(quote)}\n   title: ${title ?? '—'}`);
const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 160);
const percent = (value: number) => (Number.isNaN(value) ? '  –  ' : value.toFixed(3));
const row = (name: string, { found, precision, recall, importantRecall, negativesHit }: Score) =>
  `${name.padEnd(26)} ${String(found).padStart(5)}  ${percent(precision)}  ${percent(recall)}  ${percent(importantRecall)}  ${negativesHit}`;

const say = (line: string) => process.stdout.write(`${line}\n`);
const sessions = readLabelled(values.data);
progress(`reading ${sessions.length} sessions`);
const reads = sessions.map(read);
const strict = score(reads, 0);
const lenient = score(reads, LENIENT);
const bySignal = Object.fromEntries(
  SIGNALS.map(({ id }): [string, Score] => [id, score(reads, 0, ({ signal }) => signal === id)]).filter(
    ([, { found }]) => found > 0,
  ),
);
const endToEnd = await askBack(reads, say);
await models.inference.close();

if (values.json) {
  say(JSON.stringify({ sessions: reads.length, strict, lenient, bySignal, endToEnd, bars: BARS }, null, 2));
} else {
  say(`${reads.length} sessions, ${strict.labels} labels`);
  say(`${''.padEnd(26)} found  prec.  recall imp. 3 negatives`);
  say(row('strict', strict));
  say(row(`within ${LENIENT} lines`, lenient));
  for (const [id, figures] of Object.entries(bySignal)) say(row(`  ${id}`, figures));
  say(
    `asked back: ${endToEnd.captured} captured labels, ${percent(endToEnd.byLabel)} found by a question of theirs in the top ${TOP}, ${percent(endToEnd.byQuestion)} of all questions`,
  );
  const met = {
    precision: strict.precision,
    recall: strict.recall,
    importantRecall: strict.importantRecall,
    endToEnd: endToEnd.byQuestion,
  };
  for (const [name, bar] of Object.entries(BARS))
    say(`${met[name as keyof typeof met] >= bar ? 'met   ' : 'MISSED'} ${name} ≥ ${bar}`);
}
if (values.misses) {
  for (const { session, found } of reads) {
    for (const label of session.labels)
      if (!found.some(({ line }) => [label.line, ...label.also_lines].includes(line)))
        say(
          `missed ${label.importance} ${label.kind} ${session.name}:${label.line} ${short(String(label.quote))}`,
        );
    for (const { line, signal, quote, why } of found) {
      if (!session.labels.some((label) => [label.line, ...label.also_lines].includes(line)))
        say(`extra  ${signal} ${session.name.slice(-24)}:${line} ${short(quote)} (${why.join(', ')})`);
    }
  }
}
