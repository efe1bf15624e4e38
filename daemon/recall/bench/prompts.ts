// How often a prompt gets a note, rightly and wrongly, by threshold: `node daemon/recall/bench/prompts.ts [--data
// DIR]`.
import { parseArgs } from 'node:util';
import { eventsOf, type Label, readLabelled } from '../../capture/bench/labelled.ts';
import { contentTerms } from '../../text/tokenise.ts';
import { type RecallParts, findRelevant } from '../recall.ts';
import { type BenchModels, openModels } from '../../bench/models.ts';
import { recallParts } from '../../bench/recall-parts.ts';
import { fillStore } from './corpus-store.ts';

const { values } = parseArgs({ options: { data: { type: 'string', default: '../shared/data' } } });
const BARS = [0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7];
const TOLD = 3;
const SHORTEST = 12; // characters
const FEWEST_TERMS = 3;
const LONGEST_QUERY = 2_000;

interface Asked {
  /** Ids of the notes that answer; none for a prompt of another repository, which should get nothing. */
  right: string[];
  relevant: Array<{ id: string; relevance: number }>;
}

/** The notes of one repository, as global notes. */
async function knowledgeOf(labels: Label[], models: BenchModels): Promise<RecallParts> {
  const documents = labels.map(({ id, learning }) => ({
    key: id,
    at: 0,
    note: { title: learning.slice(0, 390), ...(learning.length > 390 ? { body: learning } : {}) },
  }));
  const db = await fillStore({ name: 'notes', documents, queries: [] }, models);
  const inference = { ...models.inference, embedQuery: models.query };
  return recallParts(db, inference, values.data, () => Date.UTC(2026, 5, 15));
}

async function ask(parts: RecallParts, labels: Label[], query: string, right: string[]): Promise<Asked> {
  const found = await findRelevant(parts, query.slice(0, LONGEST_QUERY), '');
  return {
    right,
    relevant: found.slice(0, TOLD).map(({ learning, relevance }) => ({
      id: labels[Number(learning.id.slice('doc-'.length))]?.id ?? '',
      relevance,
    })),
  };
}

const isLookedUp = (prompt: string) => prompt.length >= SHORTEST && contentTerms(prompt).size >= FEWEST_TERMS;

const models = await openModels();
const sessions = readLabelled(values.data);
const labelsOf = (repo: string) =>
  sessions.filter((session) => session.repo === repo).flatMap(({ labels }) => labels);
const [answerable, foreign]: [Asked[], Asked[]] = [[], []];
for (const repo of new Set(sessions.map((session) => session.repo))) {
  const labels = labelsOf(repo);
  if (labels.length === 0) continue;
  const parts = await knowledgeOf(labels, models);
  for (const label of labels)
    for (const query of label.queries)
      answerable.push(await ask(parts, labels, query, sameLesson(label, labels)));
  const prompts = sessions
    .filter((session) => session.repo !== repo)
    .flatMap(eventsOf)
    .flatMap((event) => (event.kind === 'prompt' && !event.subagent ? [event.text.trim()] : []));
  for (const prompt of prompts.filter(isLookedUp)) foreign.push(await ask(parts, labels, prompt, []));
}
await models.inference.close();

function sameLesson({ id, dup_group }: Label, labels: Label[]): string[] {
  return labels
    .filter((other) => other.id === id || (typeof dup_group === 'string' && other['dup_group'] === dup_group))
    .map((other) => other.id);
}

const percent = (part: number, of: number) => `${((100 * part) / Math.max(1, of)).toFixed(0)} %`;
process.stdout.write(
  `${answerable.length} questions that a note answers, ${foreign.length} prompts from another repository\n bar  first: got a note   with the right note   second: got a note, all wrongly\n`,
);
for (const bar of BARS) {
  const told = (asked: Asked[]) =>
    asked.filter(({ relevant }) => relevant.some(({ relevance }) => relevance >= bar));
  const right = told(answerable).filter(({ right: ids, relevant }) =>
    relevant.some(({ id, relevance }) => relevance >= bar && ids.includes(id)),
  );
  process.stdout.write(
    `${bar.toFixed(2)}  ${percent(told(answerable).length, answerable.length).padStart(6)}              ${percent(right.length, told(answerable).length).padStart(6)}                ${String(told(foreign).length).padStart(4)} (${percent(told(foreign).length, foreign.length)})\n`,
  );
}
