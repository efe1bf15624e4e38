import type { Hit, TraceStep } from '#contract/recall.ts';

/** The columns of the drawing: one for each arm, then one for each stage, as its last step left the candidates. */
type FlowColumn = { key: string; stage: string; step: TraceStep; stepIndex: number; ms: number };
export type FlowPoint = { column: number; place: number };
export type FlowLine = {
  id: string;
  title: string;
  /** Its final place, from 0; null when it did not make it. */
  order: number | null;
  /** Its ranks in the arms; they search side by side, so nothing leads from one to the next. */
  found: FlowPoint[];
  /** Its places from the fused order on. */
  path: FlowPoint[];
  left: { column: number; reason: string } | null;
};
export type Flow = { columns: FlowColumn[]; lines: FlowLine[] };

const isArm = (stage: string): boolean => /^arms?\b/.test(stage);
/** The floors look at each arm by itself, so their list is no order. */
const isOrder = ({ stage, on, candidates }: TraceStep): boolean =>
  on && candidates.length > 0 && stage !== 'floor';

export function flowOf(trace: readonly TraceStep[], hits: readonly Hit[]): Flow {
  const columns = columnsOf(trace);
  const order = new Map(hits.map(({ learning }, index) => [learning.id, index]));
  const lines = new Map<string, FlowLine>();
  const lineOf = (id: string, title: string): FlowLine => {
    const known = lines.get(id) ?? {
      id,
      title,
      order: order.get(id) ?? null,
      found: [],
      path: [],
      left: null,
    };
    lines.set(id, known);
    return known;
  };
  columns.forEach(({ step }, column) => {
    step.candidates
      .toSorted((a, b) => a.rank - b.rank)
      .forEach(({ id, title }, index) => {
        lineOf(id, title)[isArm(step.stage) ? 'found' : 'path'].push({ column, place: index + 1 });
      });
  });
  for (const { stage, dropped } of trace) {
    const column = columns.findIndex((one) => one.stage === stage && !isArm(stage));
    if (column >= 0) for (const { id, title, reason } of dropped) lineOf(id, title).left = { column, reason };
  }
  return { columns, lines: [...lines.values()] };
}

function columnsOf(trace: readonly TraceStep[]): FlowColumn[] {
  const columns: FlowColumn[] = [];
  trace.forEach((step, stepIndex) => {
    if (!isOrder(step)) return;
    const last = columns.at(-1);
    const key = isArm(step.stage) ? step.port : step.stage;
    if (last?.key === key) columns[columns.length - 1] = { ...last, step, stepIndex, ms: last.ms + step.ms };
    else columns.push({ key, stage: step.stage, step, stepIndex, ms: step.ms });
  });
  return columns;
}

/** One candidate's path: its rank after each step, or why it was dropped. Steps that did not see it are left out. */
export type Moment = {
  port: string;
  stage: string;
  place: number | null;
  from: number | null;
  score: number | null;
  says: string;
};

export function storyOf(trace: readonly TraceStep[], id: string): Moment[] {
  const story: Moment[] = [];
  let before = null as { place: number; score: number } | null; // as TypeScript does not see that the loop sets it
  for (const { port, stage, on, candidates, dropped } of trace) {
    if (!on) continue;
    const drop = dropped.find((one) => one.id === id);
    if (drop)
      story.push({ port, stage, place: null, from: before?.place ?? null, score: null, says: drop.reason });
    if (drop || stage === 'floor') continue;
    const ordered = candidates.toSorted((a, b) => a.rank - b.rank);
    const index = ordered.findIndex((one) => one.id === id);
    const candidate = ordered[index];
    if (!candidate) continue;
    const place = index + 1;
    const arm = isArm(stage);
    const stayed = before?.place === place && Math.abs(before.score - candidate.score) <= 1e-9;
    // A step that moved nothing says nothing about this candidate.
    if (arm || !stayed)
      story.push({
        port,
        stage,
        place,
        from: arm ? null : (before?.place ?? null),
        score: candidate.score,
        says: candidate.note ?? '',
      });
    if (!arm) before = { place, score: candidate.score };
  }
  return story;
}

type Compared = {
  hit: Hit;
  place: number;
  /** Its place in the other lane; null when it is not there. */
  other: number | null;
};

/** One lane's answer, each hit with where the other lane has it. */
export function compared(hits: readonly Hit[], others: readonly Hit[]): Compared[] {
  const places = new Map(others.map(({ learning }, index) => [learning.id, index + 1]));
  return hits.map((hit, index) => ({ hit, place: index + 1, other: places.get(hit.learning.id) ?? null }));
}

/** The number of candidates a step received: those the step before it left, or all that the arms found. */
export function countsOf(trace: readonly TraceStep[]): { given: number | null; left: number }[] {
  let before: number | null = null;
  return trace.map(({ stage, on, candidates, dropped }) => {
    const given = isArm(stage) ? null : before;
    const left = candidates.length;
    if (on && (candidates.length > 0 || dropped.length > 0))
      before = isArm(stage) ? (before ?? 0) + left : left;
    return { given, left };
  });
}

type At = (point: FlowPoint) => [x: number, y: number];

/** A soft step from each place to the next, so that crossings can be followed. */
export function curveThrough(points: readonly FlowPoint[], at: At): string {
  return points
    .map((point, index) => {
      const before = points[index - 1];
      const [x, y] = at(point);
      if (!before) return `M${x},${y}`;
      const [fromX, fromY] = at(before);
      const middle = (fromX + x) / 2;
      return `C${middle},${fromY} ${middle},${y} ${x},${y}`;
    })
    .join('');
}

/** A straight line from each of the points to the same end. */
export const linesTo = (end: FlowPoint, points: readonly FlowPoint[], at: At): string =>
  points.map((point) => `M${at(point).join()}L${at(end).join()}`).join('');
