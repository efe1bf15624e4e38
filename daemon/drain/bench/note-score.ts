/** A note of a labelled session, as a person meets it. */
export interface ScoredNote {
  session: string;
  agent: string;
  repo: string;
  line: number;
  signal: string;
  title: string;
  /** Told to agents; otherwise it waits as a candidate. */
  learning: boolean;
  confidence: number;
  /** Ids of the labels its moment meets. */
  labels: string[];
  /** On a statement that the labeller saw only in part. */
  unread: boolean;
  /** A reader's verdict on the title; null if nobody has read it. */
  standsAlone: boolean | null;
  /** Likeness of title and text to the label's own sentence, by embedding and by ROUGE-L; null without a label. */
  likeness: number | null;
  rougeL: number | null;
}

export interface LabelRow {
  id: string;
  session: string;
  importance: number;
  speaker: string;
}

export interface NoteFigures {
  notes: number;
  learnings: number;
  precision: number;
  standAlone: number;
  read: number;
  heard: { all: number; important: number; asLearning: number; importantAsLearning: number };
  likeness: number;
  rougeL: number;
  asks: number;
  points: number;
  cut: number;
  perSession: { median: number; most: number };
}

/** The figures of these notes against the labels of their sessions. */
export function figuresOf(notes: ScoredNote[], labels: LabelRow[], sessions: string[]): NoteFigures {
  const counted = notes.filter(({ unread }) => !unread);
  const learnings = counted.filter(({ learning }) => learning);
  const important = labels.filter(({ importance }) => importance === 3);
  const share = (of: LabelRow[], among: ScoredNote[]) => {
    const met = new Set(among.flatMap((note) => note.labels));
    return ratio(of.filter(({ id }) => met.has(id)).length, of.length);
  };
  const read = learnings.filter(({ standsAlone }) => standsAlone !== null);
  const met = learnings.filter((note) => note.labels.length > 0);
  const perSession = sessions
    .map((session) => learnings.filter((note) => note.session === session).length)
    .sort((one, other) => one - other);
  const title = (pattern: RegExp) =>
    ratio(learnings.filter((note) => pattern.test(note.title)).length, learnings.length);
  return {
    notes: counted.length,
    learnings: learnings.length,
    precision: ratio(met.length, learnings.length),
    standAlone: ratio(read.filter(({ standsAlone }) => standsAlone).length, read.length),
    read: read.length,
    heard: {
      all: share(labels, notes),
      important: share(important, notes),
      asLearning: share(labels, learnings),
      importantAsLearning: share(important, learnings),
    },
    likeness: mean(met.map(({ likeness }) => likeness ?? 0)),
    rougeL: mean(met.map(({ rougeL }) => rougeL ?? 0)),
    asks: title(/\?$/),
    points: title(/^(?:it|this|that|they|these|those)\b/i),
    cut: title(/…$/),
    perSession: { median: perSession[perSession.length >> 1] ?? 0, most: perSession.at(-1) ?? 0 },
  };
}

export interface Reliability {
  from: number;
  to: number;
  notes: number;
  said: number;
  good: number;
}

/**
 * Of notes said to be so sure, the share that is good: labelled, and a title that stands alone. Only notes that were
 * read count.
 */
export function reliability(notes: ScoredNote[], step = 0.2): Reliability[] {
  const read = notes.filter(({ standsAlone, unread }) => standsAlone !== null && !unread);
  return Array.from({ length: Math.round(1 / step) }, (_, index) => {
    const [from, to] = [index * step, (index + 1) * step];
    const bin = read.filter(({ confidence }) => confidence >= from && (confidence < to || to >= 1));
    return {
      from,
      to,
      notes: bin.length,
      said: mean(bin.map(({ confidence }) => confidence)),
      good: mean(bin.map(({ standsAlone, labels }) => Number(standsAlone && labels.length > 0))),
    };
  });
}

/** F-measure of the longest common subsequence of words. */
export function rougeL(one: string, other: string): number {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  let previous = new Array<number>(b.length + 1).fill(0);
  for (const word of a) {
    const row = [0];
    for (const [index, candidate] of b.entries())
      row.push(
        word === candidate ? (previous[index] ?? 0) + 1 : Math.max(previous[index + 1] ?? 0, row[index] ?? 0),
      );
    previous = row;
  }
  return ratio(2 * (previous.at(-1) ?? 0), a.length + b.length);
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
const ratio = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
const mean = (values: number[]) =>
  ratio(
    values.reduce((sum, value) => sum + value, 0),
    values.length,
  );
