import { type Example, type Fitted, fit } from '../../capture/bench/fit.ts';
import type { Cue, Weights } from '../../capture/judge/cue.ts';
import { MOMENT_CUES, SOURCE_CUES } from '../note-cues.ts';
import { along, type Sense } from '../sense.ts';
import { TITLE_CUES } from '../title-cues.ts';
import { messageOf, worthOf } from '../writers/best-wording.ts';
import type { Likeness } from '../writers/likeness.ts';
import { wordingsOf, type Wording } from '../writers/wordings.ts';
import { fitSense, type SenseExample } from './sense-fit.ts';
import { type LabelledMoment, materialOf } from './session-moments.ts';

/** A wording of a labelled moment, and how near it comes to the words of the person who labelled it. */
export interface Tried extends Wording {
  likeness: number;
  /** Likeness to the whole message. */
  central: number;
}

/** The material to fit on: labelled moments with every wording they offer, and what a reader said of titles. */
interface Corpus {
  moments: LabelledMoment[];
  tried: Map<LabelledMoment, Tried[]>;
  verdict: (title: string) => boolean | undefined;
  /** Vectors of the titles that were read, and the embedder they come from. */
  vectors: ReadonlyMap<string, Float32Array>;
  model: string;
}

interface NoteWeights {
  wording: Weights;
  note: Weights;
  sense: Sense;
}

const PULL = { title: 6, wording: 4, note: 4 };
const ALMOST_BEST = 0.02; // likeness
const OF_LABELS = 0.4; // weight of a labeller's own sentence: it stands alone, but nobody talks like that
const STANDS_ALONE = 1; // prior
const FOLDS = 8;
/** Likeness alone would often choose a question: the nearest words, which nobody understands later. */
const FULL = 1;

/** Fits in three steps: what stands alone, which wording says most, and which notes are worth keeping. */
export function fitNotes(corpus: Corpus): NoteWeights {
  const title = fitTitles(corpus);
  const alone = aloneBy(title);
  const wording = fitOn(SOURCE_CUES, wordingExamples(corpus, alone), PULL.wording);
  const flatWording = flatten(
    title,
    { ...wording, weights: [FULL, ...wording.weights.slice(1)] },
    SOURCE_CUES,
  );
  const note = fitOn(MOMENT_CUES, unseenExamples(corpus, flatWording), PULL.note);
  return {
    wording: flatWording,
    note: flatten(title, note, MOMENT_CUES),
    sense: fitSense(senseExamples(corpus, alone), corpus.model),
  };
}

/** The titles that were read, with what the cues say of them. */
const senseExamples = (corpus: Corpus, alone: Alone): SenseExample[] =>
  [...readTitles(corpus)].flatMap(([title, label]) => {
    const vector = corpus.vectors.get(title);
    return vector ? [{ vector, odds: alone(title), label }] : [];
  });

/** Each wording that a reader has a verdict on. */
export function readTitles({ moments, tried, verdict }: Pick<Corpus, 'moments' | 'tried' | 'verdict'>) {
  const read = new Map<string, boolean>();
  for (const moment of moments)
    for (const { rule } of tried.get(moment) ?? []) {
      const label = verdict(rule);
      if (label !== undefined) read.set(rule, label);
    }
  return read;
}

type Alone = (text: string) => number;
const aloneBy =
  (title: Fitted): Alone =>
  (text) =>
    bounded(logOdds(title, featuresOf(TITLE_CUES, text)));

/**
 * Notes whose titles were judged by a fit that had not seen their session. Judged by one that had, the best titles look
 * better than they are, and every confidence built on them is too high.
 */
function unseenExamples(corpus: Corpus, wording: Weights): Example[] {
  const sessions = [...new Set(corpus.moments.map(({ session }) => session.name))].toSorted();
  return Array.from({ length: FOLDS }, (_, fold) => {
    const held = new Set(sessions.filter((_name, index) => index % FOLDS === fold));
    const isHeld = ({ session }: LabelledMoment) => held.has(session.name);
    const others = { ...corpus, moments: corpus.moments.filter((moment) => !isHeld(moment)) };
    const alone = aloneBy(fitTitles(others));
    const sense = fitSense(senseExamples(others, alone), corpus.model);
    return noteExamples({ ...corpus, moments: corpus.moments.filter(isHeld) }, { alone, sense, wording });
  }).flat();
}

/** Sentences that stand alone, by what a reader said. */
function fitTitles({ moments, tried, verdict }: Corpus): Fitted {
  const texts = new Map<string, Pick<Example, 'label' | 'weight'>>();
  for (const moment of moments) {
    for (const { learning } of moment.labels) texts.set(learning, { label: true, weight: OF_LABELS });
    for (const { rule } of tried.get(moment) ?? []) {
      const label = verdict(rule);
      if (label !== undefined) texts.set(rule, { label, weight: 1 });
    }
  }
  const examples = [...texts].map(([text, example]) => ({
    session: '',
    features: featuresOf(TITLE_CUES, text),
    ...example,
  }));
  return fit(examples, priorsOf(TITLE_CUES), PULL.title);
}

/** Of the wordings of one moment, those that come nearest to the labeller's are right. */
function wordingExamples({ moments, tried }: Corpus, alone: Alone): Example[] {
  return moments
    .filter(({ labels }) => labels.length > 0)
    .flatMap((moment) => {
      const wordings = tried.get(moment) ?? [];
      const best = Math.max(...wordings.map(({ likeness }) => likeness));
      return wordings.map((wording) => ({
        session: moment.session.name,
        label: wording.likeness >= best - ALMOST_BEST,
        weight: 1 / wordings.length,
        features: [alone(wording.rule), ...featuresOf(SOURCE_CUES, wording)],
      }));
    });
}

/** A note is worth keeping if its moment is labelled and a reader says that its title stands alone. */
function noteExamples(
  { moments, tried, verdict, vectors }: Corpus,
  { alone, sense, wording }: { alone: Alone; sense: Sense; wording: Weights },
): Example[] {
  return moments.flatMap((moment) => {
    const title = bestOf(tried.get(moment) ?? [], wording)?.rule;
    const reader = title === undefined ? undefined : verdict(title);
    if (title === undefined || reader === undefined || isUnread(moment)) return [];
    return [
      {
        session: moment.session.name,
        label: reader && moment.labels.length > 0,
        weight: 1,
        features: [
          alone(title),
          ...featuresOf(MOMENT_CUES, {
            note: { title, sense: along(sense, vectors.get(title) ?? []) },
            material: materialOf(moment),
          }),
        ],
      },
    ];
  });
}

/** Statements that the labeller saw only in part count neither way. */
export const isUnread = ({ session, line, labels }: LabelledMoment) =>
  labels.length === 0 && session.unread.has(line);

function bestOf(wordings: readonly Tried[], weights: Weights): Tried | undefined {
  const rank = (wording: Tried) =>
    sum(TITLE_CUES, weights, wording.rule) +
    sum(SOURCE_CUES, weights, wording) +
    worthOf(wording, wording.central);
  return wordings
    .map((wording) => ({ wording, rank: rank(wording) }))
    .sort((one, other) => other.rank - one.rank)[0]?.wording;
}

function fitOn<M>(cues: ReadonlyArray<Cue<M>>, examples: Example[], pull: number): Fitted {
  return fit(examples, [STANDS_ALONE, ...priorsOf(cues)], pull);
}

/** One sum instead of two: what says that it stands alone, times what that is worth, and the rest. */
function flatten<M>(title: Fitted, { bias, weights }: Fitted, cues: ReadonlyArray<Cue<M>>): Weights {
  const [worth = 1, ...rest] = weights;
  return {
    bias: round(bias + worth * title.bias),
    cues: Object.fromEntries([
      ...TITLE_CUES.map(({ id }, index) => [id, round(worth * (title.weights[index] ?? 0))] as const),
      ...cues.map(({ id }, index) => [id, round(rest[index] ?? 0)] as const),
    ]),
  };
}

const featuresOf = <M>(cues: ReadonlyArray<Cue<M>>, judged: M) =>
  cues.map((cue) => Number(cue.holds(judged)));
const priorsOf = <M>(cues: ReadonlyArray<Cue<M>>) => cues.map(({ prior }) => prior);
const logOdds = ({ bias, weights }: Fitted, features: number[]) =>
  features.reduce((total, value, index) => total + value * (weights[index] ?? 0), bias);
const sum = <M>(cues: ReadonlyArray<Cue<M>>, { cues: weights }: Weights, judged: M) =>
  cues.reduce((total, { id, holds }) => total + Number(holds(judged)) * (weights[id] ?? 0), 0);
/** So that no single odd text decides. */
const bounded = (odds: number) => Math.max(-4, Math.min(4, odds));
const round = (value: number) => Math.round(value * 100) / 100;

/** Every wording of a moment with its likeness to the message, and to the labels it meets. */
export async function tryWordings(
  moment: LabelledMoment,
  likeness: (one: string, other: string) => Promise<number>,
  toMessage: Likeness,
): Promise<Tried[]> {
  const material = materialOf(moment);
  const wordings = wordingsOf(material);
  const central = await toMessage(
    wordings.map(({ rule }) => rule),
    messageOf(material),
  );
  return Promise.all(
    wordings.map(async (wording, index) => ({
      ...wording,
      central: central[index] ?? 0,
      likeness: Math.max(
        0,
        ...(await Promise.all(moment.labels.map(({ learning }) => likeness(wording.rule, learning)))),
      ),
    })),
  );
}
