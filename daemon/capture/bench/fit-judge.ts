// Fits the judge's weights to labelled sessions and saves them: `node daemon/capture/bench/fit-judge.ts [--data DIR]`. For
// measuring on a repository that it has not seen: `--without REPOSITORY --out FILE`.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Cue, Weights } from '../judge/cue.ts';
import { FINDING_CUES } from '../judge/finding-cues.ts';
import { FindingMoments } from '../judge/finding-moments.ts';
import { HUMAN_CUES } from '../judge/human-cues.ts';
import { HumanMoments } from '../judge/human-moments.ts';
import { crossValidate, type Example, fit } from './fit.ts';
import { eventsOf, type LabelledSession, lineCounter, readLabelled } from './labelled.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    without: { type: 'string' },
    out: { type: 'string', default: fileURLToPath(new URL('../judge/weights.json', import.meta.url)) },
  },
});
// Strength of the priors: there are far fewer human messages than statements to learn from.
const PULL = { human: 15, finding: 6 };

interface Marked extends Example {
  important: boolean;
}

/** A moment on a labelled line is a lesson; one on a line that repeats it counts neither way. */
function mark<M>(session: LabelledSession, line: number, cues: ReadonlyArray<Cue<M>>, moment: M): Marked {
  const here = session.labels.filter((label) => label.line === line);
  const again = session.labels.some(({ also_lines }) => also_lines.includes(line));
  return {
    session: session.name,
    label: here.length > 0,
    weight: again && here.length === 0 ? 0 : 1,
    features: cues.map((cue) => Number(cue.holds(moment))),
    important: here.some(({ importance }) => importance === 3),
  };
}

const human: Marked[] = [];
const finding: Marked[] = [];
for (const session of readLabelled(values.data).filter(({ repo }) => repo !== values.without)) {
  const lineOf = lineCounter(session.path);
  const [people, agents] = [new HumanMoments(), new FindingMoments()];
  const events = eventsOf(session);
  for (const moment of [...events.flatMap((event) => people.see(event)), ...people.rest()])
    human.push(mark(session, lineOf(moment.prompt.span.start), HUMAN_CUES, moment));
  for (const moment of [...events.flatMap((event) => agents.see(event)), ...agents.rest()]) {
    const example = mark(session, lineOf(moment.reply.span.start), FINDING_CUES, moment);
    if (example.label || !session.unread.has(lineOf(moment.reply.span.start))) finding.push(example);
  }
}

function learn<M>(name: string, cues: ReadonlyArray<Cue<M>>, examples: Marked[], pull: number): Weights {
  const priors = cues.map(({ prior }) => prior);
  report(name, examples, crossValidate(examples, priors, pull));
  const { bias, weights } = fit(examples, priors, pull);
  return {
    bias: round(bias),
    cues: Object.fromEntries(cues.map(({ id }, index) => [id, round(weights[index] ?? 0)])),
  };
}

/** Reports what a model that never saw the session would have captured. */
function report(name: string, examples: Marked[], probabilities: number[]): void {
  const lessons = examples.filter(({ label }) => label);
  process.stdout.write(
    `${name}: ${examples.length} moments, ${lessons.length} lessons, ranked right ${area(examples, probabilities).toFixed(3)}\n`,
  );
  for (const bar of [0.2, 0.25, 0.3, 0.35, 0.4]) {
    const kept = examples.filter(
      (example, index) => (probabilities[index] ?? 0) >= bar && example.weight > 0,
    );
    const right = kept.filter(({ label }) => label);
    const important =
      right.filter((example) => example.important).length /
      lessons.filter((example) => example.important).length;
    process.stdout.write(
      `  bar ${bar}: kept ${kept.length}, precision ${(right.length / kept.length).toFixed(3)}, recall ${(right.length / lessons.length).toFixed(3)}, importance 3 ${important.toFixed(3)}\n`,
    );
  }
}

/** How often a lesson scores higher than a moment that is not one (area under the curve). */
function area(examples: Marked[], probabilities: number[]): number {
  const [lessons, others] = [true, false].map((label) =>
    probabilities.filter((_, index) => examples[index]?.label === label),
  ) as [number[], number[]];
  return (
    lessons
      .flatMap((lesson) => others.map((other): number => Number(lesson > other)))
      .reduce((sum, wins) => sum + wins, 0) /
    (lessons.length * others.length)
  );
}

const round = (value: number) => Math.round(value * 100) / 100;

const weights = {
  human: learn('human messages', HUMAN_CUES, human, PULL.human),
  finding: learn("agents' statements", FINDING_CUES, finding, PULL.finding),
};
writeFileSync(values.out, `${JSON.stringify(weights, null, 2)}\n`);
