import type { Command } from 'commander';
import { colleagueOf } from '../colleague.ts';
import type { Output } from '#contract/methods.ts';
import { deriveCommands, type Given, row } from '../derive.ts';
import { ago, bold, dim, plural, print, table } from '../output.ts';
import { SCOPE_FLAGS, SEARCH_FLAGS, searchInput } from '../recall-flags.ts';

/** A query with all options of a search. */
export const query = {
  args: { query: 'what to search for' },
  flags: {
    ...SCOPE_FLAGS,
    ...SEARCH_FLAGS,
    corpus: { doc: 'search only this corpus', value: 'name' },
  },
  input: searchInput,
};

const alsoCandidates = {
  ...query,
  flags: { ...query.flags, candidates: 'also search candidates' },
};

const RECALL_COMMANDS = [
  row({
    ...alsoCandidates,
    use: 'search <query...>',
    method: 'recall.search',
    print: (answer, given) => {
      printAnswer(answer);
      printScopeHint(answer, given);
    },
  }),
  row({ ...alsoCandidates, use: 'explain <query...>', method: 'recall.explain', print: printTrace }),
  row({
    use: 'inject',
    method: 'recall.inject',
    flags: { query: 'topic of the session' },
    print: ({ text }) => print(text || dim('Nothing to inject here yet.')),
  }),
];

export const recallCommands = (program: Command): void => deriveCommands(program, RECALL_COMMANDS);

type Answer = Output<'recall.search'>;

export function printAnswer({ answer, hits, nearMisses, ms, notices, economics }: Answer): void {
  for (const notice of notices) print(dim(notice));
  if (answer) {
    print(bold(answer.text), dim(`  ${answer.field}, as it is done here`));
    return;
  }
  const strong = hits.filter(({ weak }) => !weak);
  const weak = hits.filter((hit) => hit.weak);
  for (const hit of strong) printHit(hit);
  printApart(
    [...weak.map(({ learning: { id, title }, relevance = 0 }) => ({ id, title, relevance })), ...nearMisses],
    strong.length > 0,
  );
  if (strong.length === 0) return;
  const read = strong.reduce((sum, hit) => sum + hit.tokens, 0);
  print('', dim(`${plural(strong.length, 'learning')}, ${costOf(read, economics)} · ${ms.toFixed(1)} ms`));
}

const APART = 3;

/** Near misses are printed apart from answers: they are not relevant enough to be one (R7). */
function printApart(nearest: Answer['nearMisses'], areAnswers: boolean): void {
  if (areAnswers && nearest.length > 0) print('', dim('Less relevant:'));
  if (!areAnswers) print(nearest.length === 0 ? 'No learnings found.' : 'Nothing relevant. Closest:');
  for (const { id, title, relevance } of nearest.slice(0, APART))
    print(dim(`  ${relevance.toFixed(2)}  ${title}  (${id})`));
  if (nearest.length > APART) print(dim(`  and ${nearest.length - APART} more`));
}

function printHit(hit: Answer['hits'][number]): void {
  const { learning, score } = hit;
  const mark = learning.status === 'candidate' ? '  candidate' : '';
  print(`${bold(headline(hit))}${mark}  ${dim(score.toFixed(3))}`);
  if (hit.value === undefined && learning.fix) print(`  ${learning.fix}`);
  if (hit.linked) print(dim(`  ${hit.linked}`));
  const origin = [learning.id, colleagueOf(learning), learning.provenance.agent, ago(learning.updatedAt)];
  print(dim(`  ${origin.filter(Boolean).join(' · ')}`));
}

/** Agents get the same figures in the short form of M8; a person gets words. */
function costOf(tokens: number, economics: Answer['economics']): string {
  if (!economics) return `${plural(tokens, 'token')} to read`;
  const { readTokens, discoveryTokens } = economics;
  return `${plural(readTokens, 'token')} to read, about ${discoveryTokens} to rediscover`;
}

/** Where only what holds everywhere was found, the answer may be in another project. */
function printScopeHint({ answer, hits }: Answer, { global, project, corpus }: Given): void {
  const isNarrow = !global && project === undefined && corpus === undefined;
  if (!answer && isNarrow && hits.every(({ learning }) => learning.project === ''))
    print(dim('`--global` searches every project.'));
}

/** The requested field; where a note lacks it, its next best text is more useful to a person than nothing (S1). */
function headline({ learning, value }: Answer['hits'][number]): string {
  if (value === undefined) return learning.title;
  return String(value ?? (learning.keyInsight || learning.title));
}

const SHOWN = 5;

/** Each step with its best candidates; a step that left their order as it was is one line. */
function printTrace({ trace = [], ...answer }: Answer): void {
  let before = '';
  for (const { stage, port, on, says, ms, candidates, dropped } of trace) {
    print(`${bold(port)}${on ? '' : ' off'}  ${says}  ${dim(`${ms.toFixed(1)} ms`)}`);
    for (const { title, reason } of dropped.slice(0, SHOWN)) print(dim(`  − ${title}: ${reason}`));
    if (dropped.length > SHOWN) print(dim(`  − and ${dropped.length - SHOWN} more`));
    const order = candidates.map(({ id }) => id).join(' ');
    if (stage === 'scope' || order === before) continue;
    before = order;
    print(
      ...table(
        candidates
          .slice(0, SHOWN)
          .map(({ rank, score, title, note = '' }) => [
            `  ${rank}`,
            score.toFixed(4),
            shorten(title),
            dim(note),
          ]),
      ),
    );
    if (candidates.length > SHOWN) print(dim(`  … and ${candidates.length - SHOWN} more`));
  }
  print('');
  printAnswer(answer);
}

const WIDTH = 60;
const shorten = (title: string) => (title.length > WIDTH ? `${title.slice(0, WIDTH - 1)}…` : title);
