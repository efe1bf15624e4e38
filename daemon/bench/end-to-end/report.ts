import { roundedJson } from '../statistics.ts';
import type { StandIn } from './live.ts';
import { SAME } from './meaning.ts';
import type { KnownNote, NoticedMoment } from './knowledge.ts';
import {
  amountsOf,
  type AskedLabel,
  injectedOf,
  type Miss,
  MISSES,
  type Rates,
  ratesOf,
  type Worth,
} from './score.ts';

/** A project after a daemon lived through its sessions and was asked. */
export interface Lived {
  repo: string;
  sessions: Array<{ id: string; path: string }>;
  asked: AskedLabel[];
  moments: NoticedMoment[];
  notes: KnownNote[];
  worth: (id: string) => Worth;
  missOf: (label: AskedLabel) => { miss: Miss; why: string };
}

export interface Run {
  leftOut: boolean;
  merged: boolean;
  writer: StandIn;
  seconds: number;
}

const WRITERS = { heard: 'where the daemon noticed the moment', labels: 'all' };

interface Bar {
  what: string;
  limit: number;
  /** Null if the daemon cannot do it yet. */
  measured: number | null;
}

function figuresOf(lived: Lived[]) {
  const asked = lived.flatMap((project) => project.asked);
  const worthById = new Map(
    lived.flatMap(({ notes, worth }) => notes.map(({ id }) => [id, worth(id)] as const)),
  );
  const worth = (id: string) => worthById.get(id) ?? 'wrong';
  const by = (key: (label: AskedLabel) => string) =>
    Object.fromEntries(
      Object.entries(Object.groupBy(asked, key)).map(([name, labels = []]) => [name, ratesOf(labels)]),
    );
  const all = ratesOf(asked);
  const important = ratesOf(asked.filter(({ label }) => label.importance === 3));
  const injected = injectedOf(asked, worth);
  const missed = lived.flatMap((project) =>
    project.asked.filter(isMissed).map((label) => ({ label, ...project.missOf(label) })),
  );
  return {
    all,
    important,
    injected,
    amounts: amountsOf(
      lived.flatMap(({ sessions }) => sessions),
      lived.flatMap(({ notes }) => notes),
      worth,
    ),
    byRepo: by(({ session }) => session.repo),
    byAgent: by(({ session }) => session.agent),
    bySpeaker: by(({ label }) => label.speaker),
    missed,
    bars: [
      { what: 'labels answered from main, learnings only', limit: 0.4, measured: all.answered },
      { what: '… of importance 3', limit: 0.6, measured: important.answered },
      { what: '… with candidates', limit: 0.6, measured: all.withCandidates },
      { what: 'of what the prompt hook injects, right', limit: 0.85, measured: injected.right },
    ] satisfies Bar[],
  };
}

const isMissed = ({ own, questions }: AskedLabel) =>
  !questions.some(({ learnings }) => learnings.some((id) => own.has(id)));
const isMet = ({ measured, limit }: Bar) => measured !== null && measured >= limit;

export function toJson(lived: Lived[], run: Run): string {
  const { missed, bars, ...figures } = figuresOf(lived);
  const misses = missed.map(({ label, miss, why }) => ({
    id: label.label.id,
    session: label.session.name,
    line: label.label.line,
    importance: label.label.importance,
    miss,
    why,
  }));
  const met = bars.map((bar) => ({ ...bar, met: isMet(bar) }));
  return roundedJson({ ...run, ...figures, bars: met, misses });
}

const share = (value: number | null) => (value === null || Number.isNaN(value) ? '–' : value.toFixed(3));
const decimal = (value: number | null) => share(value).padStart(6);
const row = (name: string, rates: Rates) =>
  `${name.padEnd(30)} ${String(rates.labels).padStart(4)} ${[
    rates.answered,
    rates.withCandidates,
    rates.loosely,
    rates.injected,
    rates.questions,
    rates.questionsInjected,
    rates.mrr,
  ]
    .map(decimal)
    .join('  ')}`;

export function render(
  lived: Lived[],
  { leftOut, merged, writer, seconds }: Run,
  withMisses: boolean,
): string {
  const figures = figuresOf(lived);
  const { amounts, injected, missed } = figures;
  const judges = leftOut
    ? 'judges never saw the repository they are measured on'
    : 'judges fitted on these sessions';
  const lines = [
    ...(writer === 'none' ? [] : [`lessons recorded with the labels' own sentences: ${WRITERS[writer]}`]),
    `End to end · ${judges} · branches ${merged ? 'merged' : 'never merged'} · ${seconds.toFixed(0)} s`,
    `${''.padEnd(35)} labels answered in the top 5     by prompt  questions`,
    `${''.padEnd(30)} all   learn.  +cand.  loosely hook    answ.   hook    MRR`,
    row('all', figures.all),
    row('importance 3', figures.important),
    ...Object.entries({ ...figures.byRepo, ...figures.byAgent, ...figures.bySpeaker }).map(([name, rates]) =>
      row(`  ${name}`, rates),
    ),
    `loosely: another note says the same, by meaning (cosine ≥ ${SAME})`,
    `kept: ${amounts.learnings} learnings, ${amounts.onBranch} of them bound to a branch, and ${amounts.candidates} candidates`,
    `  ${share(amounts.precision)} of the learnings are on a labelled line`,
    `  a session has ${amounts.perSession.median} learnings in the median, ${amounts.perSession.most} at most`,
    `prompt hook: injects for ${share(injected.questions)} of the questions`,
    `  ${injected.notes} notes, ${share(injected.right)} of them right; ${injected.distinct} distinct, ${share(injected.distinctRight)} right`,
    `lost: ${MISSES.map((miss) => `${missed.filter((one) => one.miss === miss).length} ${miss}`).join(' · ')}`,
    ...figures.bars.map(
      (bar) =>
        `${isMet(bar) ? 'met   ' : 'MISSED'} ${bar.what} ≥ ${bar.limit.toFixed(2)}: ${share(bar.measured)}`,
    ),
    ...(withMisses ? [...MISSES.flatMap((miss) => missesOf(miss, missed)), ...wronglyInjected(lived)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function missesOf(miss: Miss, missed: ReturnType<typeof figuresOf>['missed']): string[] {
  const its = missed
    .filter((one) => one.miss === miss)
    .toSorted((a, b) => b.label.label.importance - a.label.label.importance);
  return [
    '',
    `${miss}: ${its.length}`,
    ...its.flatMap(({ label: { label, session }, why }) => [
      `  ${label.importance} ${label.speaker} ${label.kind} ${session.name.slice(-24)}:${label.line} ${short(label.learning)}`,
      ...(why === '' ? [] : [`      ${short(why)}`]),
    ]),
  ];
}

/** The notes that prompts brought up although no label stands behind them, the most frequent first. */
function wronglyInjected(lived: Lived[]): string[] {
  const wrong = lived.flatMap(({ asked, notes, worth }) => {
    const injected = asked.flatMap(({ questions }) => questions.flatMap((question) => question.injected));
    return notes
      .filter(({ id }) => worth(id) === 'wrong')
      .map(({ id, title }) => ({ title, times: injected.filter((one) => one === id).length }))
      .filter(({ times }) => times > 0);
  });
  return [
    '',
    `injected but wrong: ${wrong.length}`,
    ...wrong.toSorted((a, b) => b.times - a.times).map(({ times, title }) => `  ${times} × ${short(title)}`),
  ];
}

const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 160);
