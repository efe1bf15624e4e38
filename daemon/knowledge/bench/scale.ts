import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Note } from '#contract/entities.ts';
import { makeNotes, makeQuestions, makeVectors, perturbed } from '../../bench/corpus.ts';
import { embedSome, fillHome, openHome } from '../../bench/home.ts';
import { openInference } from '../../bench/models.ts';
import { recallParts } from '../../bench/recall-parts.ts';
import { percentile, seeded, timed } from '../../bench/statistics.ts';
import { PROJECTS } from '../../bench/vocabulary.ts';
import type { Inference } from '../../inference/inference.ts';
import { silentLog } from '../../platform/log.ts';
import { type Paths, pathsOf } from '../../platform/paths.ts';
import { answer } from '../../recall/recall.ts';
import { knowledgeVersion } from '../../store/learnings/history.ts';
import { openQuestions } from '../../store/learnings/questions.ts';
import { countUnexamined, liveTitles, markUnexamined } from '../../store/learnings/unexamined.ts';
import { maintain } from '../graph-maintenance.ts';
import { inTurns } from '../../platform/turns.ts';
import { Upkeep } from '../upkeep.ts';
import { DAY } from '../../platform/time.ts';

const SIZE = Number(process.argv[2] ?? 50_000);
const SHARES = { duplicates: 0.1, contradictions: 0.01, expiries: 0.02 };
const IDLE_QUESTIONS = 200;
const BETWEEN_QUESTIONS = 40; // ms, as agents ask: one, then another

interface Made {
  note: Note;
  /** The index of the note whose vector it is near. */
  near: number | null;
}

/** Ordinary notes, then near copies of some, the opposite of others, and some whose time is over. */
function makeCorpus(now: number): Made[] {
  const count = (share: number) => Math.round(SIZE * share);
  const plain = makeNotes(SIZE - count(SHARES.duplicates) - count(SHARES.contradictions));
  const expiring = new Set(plain.slice(-count(SHARES.expiries)));
  const copies = plain.slice(0, count(SHARES.duplicates)).map((note, near): Made => ({
    note: { ...note, title: `${note.title}, as ever`, body: `${note.body}\nSaid again.` },
    near,
  }));
  const first = copies.length;
  const opposites = plain
    .slice(first, first + count(SHARES.contradictions))
    .map((note, index): Made => ({ note: { ...note, title: `Never ${note.title}` }, near: first + index }));
  return [
    ...plain.map((note): Made => ({
      note: expiring.has(note) ? { ...note, forgetAfter: now - DAY } : note,
      near: null,
    })),
    ...copies,
    ...opposites,
  ];
}

async function fill(paths: Paths, inference: Inference): Promise<void> {
  const { db, tables, close } = openHome(paths, inference);
  const made = makeCorpus(Date.now());
  const random = seeded(3);
  const vectors = [];
  for (const { role, table } of tables) {
    const { vectors: real, tokens } = await embedSome(inference, role);
    const plain = makeVectors(real, made.length);
    const near = made.map((one, index) => {
      const like = plain[one.near ?? index] as Float32Array; // one was made for each note
      return one.near === null ? like : perturbed(like, 0.05, random);
    });
    vectors.push({ table, vectors: near, tokens });
  }
  fillHome(
    { db },
    paths.documents,
    made.map(({ note }) => note),
    vectors,
  );
  close();
}

const say = (line: string) => console.log(line);
const figures = (times: number[]) =>
  `p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms, worst ${Math.max(...times).toFixed(0)} ms over ${times.length} questions`;
const pause = () => new Promise((resolve) => setTimeout(resolve, BETWEEN_QUESTIONS));

const folder = mkdtempSync(join(tmpdir(), 'reflect-sweeps-'));
const inference = await openInference(process.env);
try {
  const paths = pathsOf(folder);
  say(`writing ${SIZE} learnings`);
  await fill(paths, inference);
  const home = openHome(paths, inference);
  const { db } = home;
  const parts = recallParts(db, inference, paths.home);
  const questions = makeQuestions(100_000, 7)[Symbol.iterator]();
  let asked = 0;
  const ask = async () =>
    timed(() =>
      answer(parts, {
        query: questions.next().value ?? '',
        project: PROJECTS[asked++ % PROJECTS.length],
        knobs: { RECALL_CROSS_ENCODER: false },
      }),
    );
  const askWhile = async (isOn: () => boolean): Promise<number[]> => {
    const times: number[] = [];
    while (isOn()) {
      times.push(await ask());
      await pause();
    }
    return times;
  };
  const upkeep = new Upkeep({
    store: { db, documents: paths.documents, now: Date.now },
    inference,
    resolve: parts.settings.resolver(),
    log: silentLog,
  });

  const askTimes = (times: number) => askWhile(() => times-- > 0);
  await askTimes(20);
  const before = await askTimes(IDLE_QUESTIONS);
  say(`idle before: ${figures(before)} (${home.tables.length} embedders)`);

  const begun = performance.now();
  let sweeping = true;
  const sweep = upkeep.sweep().finally(() => (sweeping = false));
  const during = await askWhile(() => sweeping);
  const swept = await sweep;
  say(
    `first sweep: ${((performance.now() - begun) / 1_000).toFixed(0)} s, ${swept.forgotten} forgotten, ${swept.superseded} superseded, ${swept.asked} asked, ${countUnexamined(db)} left`,
  );
  say(
    `asked about: ${JSON.stringify(db.prepare('SELECT kind, count(*) AS times FROM merge_question GROUP BY kind').all())}`,
  );
  say(`during it: ${figures(during)}`);
  const after = await askTimes(IDLE_QUESTIONS);
  // Half before and half after, so that other load on the machine affects both.
  say(
    `idle after: ${figures(after)}; p95 during the sweep is ${(percentile(during, 0.95) / percentile([...before, ...after], 0.95)).toFixed(2)} × idle`,
  );

  let mending = true;
  const graph = inTurns(maintain(db), new AbortController().signal).finally(() => (mending = false));
  const meanwhile = await askWhile(() => mending);
  say(
    `graph: ${JSON.stringify(await graph)}; during it ${meanwhile.length > 0 ? figures(meanwhile) : 'nobody asked'}`,
  );

  const [version, open] = [knowledgeVersion(db), openQuestions(db).length];
  for (const { seq } of liveTitles(db, 0, 1_000_000)) markUnexamined(db, seq);
  const again = await upkeep.sweep();
  say(
    `everything once more: ${again.forgotten} forgotten, ${again.superseded} superseded, ${again.asked} asked; ${knowledgeVersion(db) - version} changes, ${openQuestions(db).length - open} questions, graph ${JSON.stringify(await inTurns(maintain(db), new AbortController().signal))}`,
  );
  await upkeep.stop();
  home.close();
} finally {
  await inference.close();
  rmSync(folder, { recursive: true, force: true });
}
