import type { NoteInput } from '#contract/entities.ts';
import { categoryIn, typeIn } from '../modes/mode.ts';
import { narrates } from '../../capture/judge/wording.ts';
import { proseOf } from '../prose.ts';
import type { Material, PlainWriter } from '../writer.ts';
import { saidByPerson, scopeOf } from './evidence.ts';
import { rankWordings } from './best-wording.ts';
import { type Likeness, unknownLikeness } from './likeness.ts';
import { nameEntities, nameTags } from './mentions.ts';
import { relationsIn } from './relations.ts';
import { around, type Wording } from './wordings.ts';
import { jsonOrNull } from '../../platform/json.ts';
import { keptBecause, reasonsFor } from '../../text/kept-because.ts';
import { shorten } from '../../text/one-line.ts';
import { sentences } from '../../text/sentences.ts';

/** A title is a sentence and is shown whole; only a paragraph without a stop is cut. */
const LONGEST_TITLE = 240;

/** The content of a moment, before it becomes a note. */
interface Content {
  problem: string;
  rootCause: string;
  fix: string;
  body: string;
}

/** Writes notes from the words themselves, with no model that could invent any: the default (A5). */
export const heuristicWriter = (likeness: Likeness): PlainWriter => ({
  name: 'heuristic',
  async write(moment, mode): Promise<NoteInput | null> {
    const wordings = await rankWordings(moment, likeness);
    const [best] = wordings;
    if (!best) return null;
    const { rule } = best;
    const content = saidByPerson(moment) ? lessonContent(moment, wordings) : findingContent(moment, best);
    const said = [moment.quote, rule, content.fix].join('\n');
    const tags = nameTags(said);
    const category = categoryIn(mode, said);
    const title = shorten(rule, LONGEST_TITLE);
    const note = {
      ...content,
      title,
      rule,
      type: typeIn(mode, moment.type),
      category,
      tags: tags.length > 0 ? tags : [category],
      confidence: Math.min(1, moment.score),
      scope: scopeOf(moment, nameEntities(rule).length > 0),
      speculative: moment.speculative,
      metadata: { compression: 'synthetic' },
    };
    // Taken from the note, not from the moment: the parts that were cut are not its subject.
    const entities = nameEntities(proseOf(note));
    return { ...note, entities, relations: relationsIn(proseOf(note), entities) };
  },
});

/** The same where nothing compares meanings. */
export const heuristic = heuristicWriter(unknownLikeness);

function lessonContent(moment: Material, wordings: Wording[]): Content {
  const { before, after } = around(moment);
  const reply = after.find(({ role }) => role === 'agent')?.text ?? '';
  const restated = wordings.slice(1).find(({ by }) => by === 'answer' || by === 'later');
  return {
    problem: shorten(whatTheAgentDid(before), 300),
    rootCause: shorten(reasonIn(moment.quote) ?? reasonIn(reply) ?? '', 300),
    fix: shorten(restated?.rule ?? '', 400),
    body: lessonBody(moment, reply),
  };
}

function findingContent(moment: Material, best: Wording): Content {
  const { before } = around(moment);
  // A sentence that ends in a colon only leads to what it announces.
  const all = sentences(moment.quote).filter((sentence) => !sentence.endsWith(':'));
  const failure = before.findLast(
    ({ role, text }) => role === 'tool' && isFailure(text) && !REJECTED.test(text),
  )?.text;
  const asked = before.findLast(({ role }) => role === 'human')?.text;
  return {
    problem: shorten(failure ? firstError(failure) : (sentences(asked ?? '')[0] ?? ''), 300),
    rootCause: shorten(all.find((sentence) => CAUSE.test(sentence)) ?? best.source, 300),
    fix: shorten(all.find((sentence) => FIX.test(sentence)) ?? '', 300),
    body: findingBody(moment),
  };
}

/** A harness's report that a person turned a call down: their words are a moment of their own. */
const REJECTED = /\buser doesn't want to proceed\b/i;

const CAUSE =
  /\b(?:because|since|due to|causing|root cause|the (?:issue|problem|bug|cause|reason) (?:is|was)|so (?:the|it|that))\b/i;
const FIX =
  /\b(?:the fix|fix(?:ed)? (?:is|by|this|it)|let me (?:fix|remove|add|move|revert|update)|i'll (?:fix|remove|add|move|patch)|instead)\b/i;

/** Its last words before it was corrected, else its last action. */
function whatTheAgentDid(before: Material['turns']): string {
  const said = before.findLast(({ role }) => role === 'agent')?.text;
  if (said)
    return (
      sentences(said).findLast(
        (sentence) => sentence.length > 20 && !/[?:]$/.test(sentence) && !narrates(sentence),
      ) ?? ''
    );
  return lastAction(before);
}

function lastAction(before: Material['turns']): string {
  const tools = before.filter(({ role }) => role === 'tool').map(({ text }) => text);
  const call = tools.findLast((text) => !isFailure(text));
  const last = tools.at(-1) ?? '';
  const failure = isFailure(last) && !REJECTED.test(last) ? firstError(last) : '';
  if (!call) return failure && `Failed: ${failure}`;
  return `The agent ran ${plainCall(call)}${failure && `, which failed: ${failure}`}`;
}

/** A command as it was typed; of any other tool, or where redaction has cut into its JSON, the call as it is. */
function plainCall(toolTurn: string): string {
  const [, json = ''] = /"command":\s*("(?:[^"\\]|\\.)*")/.exec(toolTurn) ?? [];
  const command = jsonOrNull(json);
  return typeof command === 'string' ? `\`${command}\`` : toolTurn;
}

const isFailure = (toolTurn: string) => toolTurn.startsWith('failed:');

function reasonIn(text: string): string | undefined {
  return sentences(text)
    .map(
      (sentence) => sentence.match(/\b(?:because|since|otherwise|as it|so that|the reason is)\b.{12,}/i)?.[0],
    )
    .find((reason) => reason !== undefined);
}

const firstError = (failure: string) =>
  failure
    .replace(/^failed:\s*/, '')
    .split('\n')
    .map((line) => line.trim())
    .find((line) => /error|fail|cannot|not found|fatal|no such|unrecogni[sz]ed|invalid|denied/i.test(line)) ??
  failure.replace(/^failed:\s*/, '');

const LONGEST_QUOTE = 600; // characters

/** The beginning of a text as a quote in Markdown. Its lines stay: a list or a block of code is one only with them. */
function quoted(text: string): string {
  const whole = text
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .replace(/[ \t]*\n(?:[ \t]*\n)+/g, '\n\n')
    .trim();
  const cut =
    whole.length <= LONGEST_QUOTE ? whole : `${whole.slice(0, LONGEST_QUOTE).replace(/\s+\S*$/, '')}…`;
  return cut.replace(/^/gm, '> ');
}

function lessonBody({ quote, why }: Material, reply: string): string {
  const answer = reply
    ? `\n\nThe agent answered: ${shorten(sentences(reply).slice(0, 3).join(' '), 400)}`
    : '';
  return `${quoted(quote)}${answer}\n\n${keptBecause(reasonsFor('the message', why))}`;
}

const findingBody = ({ quote, why }: Material) =>
  `${quoted(quote)}\n\n${keptBecause(reasonsFor('what the agent said', why))}`;
