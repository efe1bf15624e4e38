// The notes a person gets from labelled sessions: `npm run bench:notes [-- --left-out --titles --json]`. Every session
// is read, worded by the heuristic writer and valued as the daemon does; labels and a reader's verdicts say what is
// good.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Note } from '#contract/entities.ts';
import { benchEnvironment } from '../../bench/daemon-process.ts';
import { fitWithout, withReplacedJson } from '../../bench/end-to-end/left-out.ts';
import { openModels } from '../../bench/models.ts';
import { type LabelledSession, readLabelled } from '../../capture/bench/labelled.ts';
import type { Resolve } from '../../ports/knob.ts';
import { engineering } from '../modes/engineering.ts';
import { valueNote } from '../value-note.ts';
import { along, SENSE } from '../sense.ts';
import { heuristicWriter } from '../writers/heuristic.ts';
import { likenessBy, messageLikeness } from './likeness.ts';
import { isUnread } from './note-fit.ts';
import {
  figuresOf,
  type LabelRow,
  type NoteFigures,
  reliability,
  rougeL,
  type ScoredNote,
} from './note-score.ts';
import { materialOf, momentsOf } from './session-moments.ts';
import { readVerdicts } from './verdicts.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    /** Only this repository. */
    repo: { type: 'string' },
    /** Each repository with judges that never saw it. */
    'left-out': { type: 'boolean', default: false },
    /** Prints every learning's title, to be read. */
    titles: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    /** Prints the notes alone, for the run that left their repository out. */
    rows: { type: 'boolean', default: false },
  },
});
const BARS = { precision: 0.8, standAlone: 0.85, heardImportant: 0.85, heardAll: 0.65, median: 6, most: 15 };

const shipped: Resolve = (knob) => knob.default;

async function scoreNotes(sessions: LabelledSession[]): Promise<ScoredNote[]> {
  const models = await openModels();
  const likeness = likenessBy(models);
  const writer = heuristicWriter(messageLikeness(models));
  const verdict = readVerdicts();
  const scored: ScoredNote[] = [];
  const learningsOf = (session: string) =>
    scored.filter((note) => note.session === session && note.learning).length;
  for (const moment of sessions.flatMap((session) => momentsOf(session))) {
    // A failure that must recur is no note yet; what recurs across sessions is measured end to end.
    if (moment.moment.recurring !== null) continue;
    const material = materialOf(moment);
    const written = await writer.write(material, engineering, []);
    if (!written) continue;
    const note = valueNote(Note.parse(written), material, shipped, {
      isBackFill: false,
      mode: engineering,
      ofSession: learningsOf(moment.session.name),
      sense: along(SENSE, await models.document('embedder', written.title ?? '')),
    });
    const sentences = moment.labels.map(({ learning }) => learning);
    const most = (values: number[]) => (values.length > 0 ? Math.max(...values) : null);
    scored.push({
      session: moment.session.name,
      agent: moment.session.agent,
      repo: moment.session.repo,
      line: moment.line,
      signal: material.signal,
      title: note.title,
      learning: note.status === 'active',
      confidence: note.confidence,
      labels: moment.labels.map(({ id }) => id),
      unread: isUnread(moment),
      standsAlone: verdict(note.title) ?? null,
      likeness: most(await Promise.all(sentences.map((sentence) => likeness(note.title, sentence)))),
      rougeL: most(sentences.map((sentence) => rougeL(note.title, sentence))),
    });
  }
  await models.inference.close();
  return onceEach(scored);
}

/** The same words of one project are one note with more proof: a learning if any of them is. */
function onceEach(notes: ScoredNote[]): ScoredNote[] {
  const alike = Map.groupBy(notes, ({ repo, title }) => `${repo}\n${title}`);
  return [...alike.values()].map((same) => {
    const best = same.reduce((one, other) => (other.confidence > one.confidence ? other : one));
    return {
      ...best,
      labels: [...new Set(same.flatMap(({ labels }) => labels))],
      unread: same.every(({ unread }) => unread),
    };
  });
}

/** Runs itself on one repository with judges fitted on all others. */
function scoreLeftOut(repos: string[]): ScoredNote[] {
  const folder = mkdtempSync(join(tmpdir(), 'reflect-notes-'));
  try {
    return repos.flatMap((repo) => {
      process.stderr.write(`· ${repo}: fitting the judges on the other repositories\n`);
      const weights = join(folder, repo.replaceAll('/', '+'));
      fitWithout(repo, values.data, weights, benchEnvironment());
      const output = execFileSync(
        process.execPath,
        [fileURLToPath(import.meta.url), '--data', values.data, '--repo', repo, '--rows'],
        { env: withReplacedJson(benchEnvironment(), weights), maxBuffer: 2 ** 28 },
      );
      return JSON.parse(output.toString()) as ScoredNote[];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const percent = (value: number) => value.toFixed(3);

function render(name: string, figures: NoteFigures): string[] {
  const {
    notes,
    learnings,
    precision,
    standAlone,
    read,
    heard,
    likeness,
    rougeL,
    asks,
    points,
    cut,
    perSession,
  } = figures;
  return [
    `${name}: ${notes} notes, ${learnings} of them learnings, ${notes - learnings} candidates`,
    `  learnings: precision ${percent(precision)}, titles that stand alone ${percent(standAlone)} (${read} read)`,
    `  labels heard ${percent(heard.all)}, importance 3 ${percent(heard.important)}; as learnings ${percent(heard.asLearning)}, ${percent(heard.importantAsLearning)}`,
    `  likeness of the title to the label ${percent(likeness)}, ROUGE-L ${percent(rougeL)}`,
    `  titles that ask ${percent(asks)}, point ${percent(points)}, are cut ${percent(cut)}`,
    `  learnings per session: median ${perSession.median}, most ${perSession.most}`,
  ];
}

const sessions = readLabelled(values.data).filter(({ repo }) => !values.repo || repo === values.repo);
const repos = [...new Set(sessions.map(({ repo }) => repo))];
const notes = values['left-out'] ? scoreLeftOut(repos) : await scoreNotes(sessions);
const labels: LabelRow[] = sessions.flatMap((session) =>
  session.labels.map(({ id, importance, speaker }) => ({ id, importance, speaker, session: session.name })),
);
const figuresIn = (belongs: (session: LabelledSession) => boolean) => {
  const names = new Set(sessions.filter(belongs).map(({ name }) => name));
  const among = <T extends { session: string }>(rows: T[]) =>
    rows.filter(({ session }) => names.has(session));
  return figuresOf(among(notes), among(labels), [...names]);
};
const say = (line: string) => process.stdout.write(`${line}\n`);

if (values.rows) say(JSON.stringify(notes));
else if (values.json)
  say(JSON.stringify({ figures: figuresIn(() => true), reliability: reliability(notes) }, null, 2));
else {
  const whole = figuresIn(() => true);
  for (const line of render(values['left-out'] ? 'left out by repository' : 'in sample', whole)) say(line);
  for (const repo of repos)
    for (const line of render(
      repo,
      figuresIn((session) => session.repo === repo),
    ).slice(0, 3))
      say(line);
  for (const agent of new Set(sessions.map((session) => session.agent)))
    for (const line of render(
      agent,
      figuresIn((session) => session.agent === agent),
    ).slice(0, 3))
      say(line);
  for (const speaker of new Set(labels.map((label) => label.speaker))) {
    const { heard } = figuresOf(
      notes,
      labels.filter((label) => label.speaker === speaker),
      [],
    );
    say(`said by ${speaker}: heard ${percent(heard.all)}, as learnings ${percent(heard.asLearning)}`);
  }
  say('confidence   notes   said   good');
  for (const { from, to, notes: count, said, good } of reliability(notes))
    say(
      `  ${from.toFixed(1)}–${to.toFixed(1)}  ${String(count).padStart(6)}  ${percent(said)}  ${percent(good)}`,
    );
  say('bar    learnings  precision  titles  as learnings  importance 3');
  for (const bar of [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65]) {
    const { learnings, precision, standAlone, heard } = figuresOf(
      notes.map((note) => ({ ...note, learning: note.confidence >= bar })),
      labels,
      [],
    );
    say(
      `  ${bar.toFixed(2)}  ${String(learnings).padStart(9)}  ${percent(precision).padStart(9)}  ${percent(standAlone).padStart(6)}  ${percent(heard.asLearning).padStart(12)}  ${percent(heard.importantAsLearning).padStart(12)}`,
    );
  }
  const met: Array<[string, boolean]> = [
    [`precision of learnings ≥ ${BARS.precision}`, whole.precision >= BARS.precision],
    [`titles that stand alone ≥ ${BARS.standAlone}`, whole.standAlone >= BARS.standAlone],
    [`importance 3 heard ≥ ${BARS.heardImportant}`, whole.heard.important >= BARS.heardImportant],
    [`labels heard ≥ ${BARS.heardAll}`, whole.heard.all >= BARS.heardAll],
    [
      `learnings per session: median ≤ ${BARS.median}, most ≤ ${BARS.most}`,
      whole.perSession.median <= BARS.median && whole.perSession.most <= BARS.most,
    ],
  ];
  for (const [bar, isMet] of met) say(`${isMet ? 'met   ' : 'MISSED'} ${bar}`);
}
if (values.titles)
  for (const { learning, confidence, labels: met, standsAlone, title } of notes.filter(
    (note) => note.learning,
  ))
    say(
      `${learning ? 'learning' : 'candidate'} ${percent(confidence)} ${met.length > 0 ? 'labelled' : '-'} ${standsAlone ?? 'unread'} ${title}`,
    );
