// Measures what capture notices in labelled sessions of people and repositories that its judges never saw:
// `npm run bench:capture [-- --data DIR --bar N --curves --misses --json]`.
import { parseArgs } from 'node:util';
import type { JudgeWeights } from '../judge/cue.ts';
import shipped from '../judge/weights.json' with { type: 'json' };
import { SIGNALS } from '../ports.ts';
import { type ReadSession, readSession } from './examples.ts';
import { readLabelled } from './labelled.ts';
import { type Heard, hear, weightsWithout } from './left-out.ts';
import { type Figures, figuresOf, meets, reliabilityOf } from './tables.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    bar: { type: 'string' },
    curves: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const CURVE = [0.05, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4];
/** On repositories left out. */
const BARS = { recall: 0.75, importantRecall: 0.85, area: 0.7, medianPerSession: 10 };

type View = ReadonlyMap<ReadSession, JudgeWeights>;

const repositoryOf = ({ session }: ReadSession) => session.repo;
const personOf = (read: ReadSession) => `${repositoryOf(read)} ${read.person}`;
const agentOf = ({ session }: ReadSession) => session.agent;

const sessions = readLabelled(values.data).map(readSession);
const without = (groupOf: (read: ReadSession) => string): View => weightsWithout(sessions, groupOf);
const people = without(personOf);
const repositories = without(repositoryOf);
const VIEWS: Readonly<Record<string, View>> = {
  'as shipped, in sample': new Map(sessions.map((session) => [session, shipped])),
  'sessions left out': without(({ session }) => session.name),
  'people left out': people,
  'repositories left out': repositories,
  'agents left out': without(agentOf),
};

const hearAll = (view: View, bar?: number) =>
  [...view].map(([session, weights]) => hear(session, weights, bar));
const bar = values.bar === undefined ? undefined : Number(values.bar);
const heardBy = new Map(Object.entries(VIEWS).map(([name, view]) => [name, hearAll(view, bar)]));
const byPeople = heardBy.get('people left out') ?? [];
const result = figuresOf(heardBy.get('repositories left out') ?? []);

const say = (line: string) => process.stdout.write(`${line}\n`);
const share = (value: number) => (Number.isFinite(value) ? value.toFixed(3) : '–').padStart(6);
const count = (value: number) => String(value).padStart(7);
const row = (name: string, { labels, recall, importantRecall, nearRecall, ...found }: Figures) =>
  [
    name.padEnd(46),
    count(labels),
    ...[recall, importantRecall, nearRecall].map(share),
    count(found.moments),
    ...[found.precision, found.area].map(share),
    count(found.medianPerSession),
    count(found.mostPerSession),
  ].join(' ');

function table<K extends string>(title: string, keys: Iterable<K>, figures: (key: K) => Figures): void {
  say(`\n${title.padEnd(46)}  labels recall imp. 3   near moments  prec.   area  median    most`);
  for (const key of [...new Set(keys)].sort()) say(row(`  ${key}`, figures(key)));
}

/** The same figures for each group of sessions, of labels and of signals. */
function sayParts(heard: readonly Heard[]): void {
  const labels = sessions.flatMap(({ session }) => session.labels);
  for (const [title, groupOf] of [
    ['people left out, by person', personOf],
    ['… by agent', agentOf],
  ] as const)
    table(title, sessions.map(groupOf), (key) =>
      figuresOf(heard.filter(({ read }) => groupOf(read) === key)),
    );
  table(
    '… by speaker of the label',
    labels.map(({ speaker }) => speaker),
    (key) => figuresOf(heard, { label: ({ speaker }) => speaker === key }),
  );
  table(
    '… by kind of label',
    labels.map(({ speaker, kind }) => `${speaker} ${kind}`),
    (key) => figuresOf(heard, { label: ({ speaker, kind }) => `${speaker} ${kind}` === key }),
  );
  table(
    '… by signal',
    SIGNALS.map(({ id }) => id).filter((id) =>
      heard.some(({ moments }) => moments.some(({ signal }) => signal === id)),
    ),
    (key) => figuresOf(heard, { moment: ({ signal }) => signal === key }),
  );
}

function sayReliability(name: string, heard: readonly Heard[]): void {
  say(`\n${name}: of moments said to be lessons with …, so many are`);
  for (const { moments, score, right } of reliabilityOf(heard))
    if (moments > 0) say(`  ${share(score)} → ${share(right)}  of ${moments}`);
}

function sayMisses(heard: readonly Heard[]): void {
  const short = (text: unknown) => String(text).replace(/\s+/g, ' ').slice(0, 160);
  for (const { read, moments } of heard) {
    const { labels, name } = read.session;
    for (const label of labels.filter((one) => !moments.some((moment) => meets(one, moment))))
      say(
        `missed ${label.importance} ${label.speaker} ${label.kind} ${name}:${label.line} ${short(label.quote)}`,
      );
    for (const moment of moments.filter((one) => !labels.some((label) => meets(label, one))))
      say(`extra  ${moment.score} ${moment.signal} ${name}:${moment.line} ${short(moment.quote)}`);
  }
}

if (values.json) {
  const views = Object.fromEntries([...heardBy].map(([name, heard]) => [name, figuresOf(heard)]));
  say(
    JSON.stringify(
      { sessions: sessions.length, views, reliability: reliabilityOf(byPeople), bars: BARS },
      null,
      2,
    ),
  );
} else {
  table(`${sessions.length} sessions`, heardBy.keys(), (name) => figuresOf(heardBy.get(name) ?? []));
  sayParts(byPeople);
  for (const name of ['as shipped, in sample', 'people left out', 'repositories left out'])
    sayReliability(name, heardBy.get(name) ?? []);
  if (values.curves)
    for (const [name, view] of [
      ['people left out', people],
      ['repositories left out', repositories],
    ] as const)
      table(
        name,
        CURVE.map((at) => `bar ${at.toFixed(2)}`),
        (key) => figuresOf(hearAll(view, Number(key.slice(4)))),
      );
  if (values.misses) sayMisses(byPeople);
  say('\non repositories left out');
  for (const [name, goal] of Object.entries(BARS)) {
    const value = result[name as keyof typeof BARS];
    const [met, sign] = name === 'medianPerSession' ? [value <= goal, '≤'] : [value >= goal, '≥'];
    say(`${met ? 'met   ' : 'MISSED'} ${name} ${value.toFixed(3)} ${sign} ${goal}`);
  }
}
