import type { NoteInput } from '#contract/entities.ts';
import { categoryIn, typeIn } from '../modes/mode.ts';
import { proseOf } from '../prose.ts';
import type { Material, PlainWriter } from '../writer.ts';
import { confidenceOf, saidByPerson, scopeOf } from './evidence.ts';
import { wordFinding, wordLesson, type Wording, wordingsOf } from './lesson.ts';
import { nameEntities, nameTags } from './mentions.ts';
import { relationsIn } from './relations.ts';
import { shorten } from '../../text/one-line.ts';
import { countWords } from '../../text/tokenise.ts';
import { sentences } from '../../text/sentences.ts';

const LONGEST_TITLE = 120;
const LEAST_SAID = 4; // words a title needs to be understood alone
const LONG_ENOUGH = 11; // words after which it needs no help, even where it points at something

/** The content of a moment, before it becomes a note. */
interface Content {
  lesson: Wording;
  problem: string;
  rootCause: string;
  fix: string;
  body: string;
}

/** Writes notes from the words themselves, with no model that could invent any: the default (A5). */
export const heuristic: PlainWriter = {
  name: 'heuristic',
  async write(moment, mode): Promise<NoteInput | null> {
    const content = saidByPerson(moment) ? lessonContent(moment) : findingContent(moment);
    if (!content) return null;
    const { lesson, problem, rootCause, fix, body } = content;
    const said = [moment.quote, lesson.rule, fix].join('\n');
    const tags = nameTags(said);
    const category = categoryIn(mode, said);
    const note = {
      title: titleOf(lesson.rule, moment),
      type: typeIn(mode, moment.type),
      category,
      tags: tags.length > 0 ? tags : [category],
      confidence: confidenceOf(moment),
      problem,
      rootCause,
      fix,
      rule: lesson.rule,
      body,
      scope: scopeOf(moment, nameEntities(lesson.rule).length > 0),
      speculative: moment.speculative,
      metadata: { compression: 'synthetic' },
    };
    // Taken from the note, not from the moment: the parts that were cut are not its subject.
    const entities = nameEntities(proseOf(note));
    return { ...note, entities, relations: relationsIn(proseOf(note), entities) };
  },
};

function lessonContent(moment: Material): Content | null {
  const { before, after } = around(moment);
  const answers = after.filter(({ role }) => role === 'agent').map(({ text }) => text);
  const worded = wordLesson(moment.quote, answers[0] ?? '');
  if (!worded) return null;
  const lesson = withChoice(worded, before.findLast(({ role }) => role === 'agent')?.text ?? '');
  const restated = answers
    .flatMap((answer) => wordingsOf(answer.slice(0, 1_500), 'agent'))
    .find(({ rule, weight }) => weight > 0 && rule !== lesson.rule);
  return {
    lesson,
    problem: shorten(whatTheAgentDid(before), 300),
    rootCause: shorten(reasonIn(moment.quote) ?? reasonIn(answers[0] ?? '') ?? '', 300),
    fix: shorten(restated?.rule ?? lesson.rule, 400),
    body: lessonBody(moment, answers[0]),
  };
}

function findingContent(moment: Material): Content | null {
  const { before } = around(moment);
  const lesson = wordFinding(moment.quote);
  if (!lesson) return null;
  const all = sentences(moment.quote);
  const failure = before.findLast(({ role, text }) => role === 'tool' && text.startsWith('failed:'))?.text;
  const asked = before.findLast(({ role }) => role === 'human')?.text;
  return {
    lesson,
    problem: shorten(failure ? firstError(failure) : (sentences(asked ?? '')[0] ?? ''), 300),
    rootCause: shorten(all.find((sentence) => CAUSE.test(sentence)) ?? lesson.source, 300),
    fix: shorten(all.find((sentence) => FIX.test(sentence)) ?? '', 300),
    body: findingBody(moment),
  };
}

const CAUSE =
  /\b(?:because|since|due to|causing|root cause|the (?:issue|problem|bug|cause|reason) (?:is|was)|so (?:the|it|that))\b/i;
const FIX =
  /\b(?:the fix|fix(?:ed)? (?:is|by|this|it)|let me (?:fix|remove|add|move|revert|update)|i'll (?:fix|remove|add|move|patch)|instead)\b/i;

function around({ turns }: Material) {
  const trigger = turns.findIndex((turn) => turn.trigger);
  return { before: turns.slice(0, Math.max(0, trigger)), after: turns.slice(trigger + 1) };
}

/** Its last words before it was corrected, else its last action. */
function whatTheAgentDid(before: Material['turns']): string {
  const said = before.findLast(({ role }) => role === 'agent')?.text;
  const did = before.findLast(({ role }) => role === 'tool')?.text;
  if (said)
    return (
      sentences(said).findLast((sentence) => !sentence.endsWith('?') && sentence.length > 20) ??
      sentences(said).at(-1) ??
      ''
    );
  return did ? `The agent ran ${did}` : '';
}

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

const CHOICE = /\b(?:do|option|go (?:for|with)|take|choose|prefer|number) ?#?([1-9]|[a-e])\b/i;

/** "Let's do 2" means nothing without the list: the title names the chosen item. */
function withChoice(lesson: Wording, offer: string): Wording {
  const choice = lesson.rule.match(CHOICE)?.[1];
  const chosen =
    choice &&
    offer.match(new RegExp(`^\\s*(?:[-*]\\s+)?\\**(?:option )?${choice}[.):]\\**\\s*(.+)$`, 'im'))?.[1];
  return chosen
    ? { ...lesson, rule: `${lesson.rule}: ${shorten(sentences(chosen)[0] ?? chosen, 160)}` }
    : lesson;
}

/** Adds the subject to a title that says too little alone. */
function titleOf(rule: string, moment: Material): string {
  const words = countWords(rule);
  const pointing = /\b(?:this|that|it|them|these|those)\b/i.test(rule) && nameEntities(rule).length === 0;
  const saysEnough = words > LONG_ENOUGH || (words > LEAST_SAID && !pointing);
  const subject = saysEnough ? undefined : subjectOf(moment, rule);
  return subject
    ? `${shorten(rule, LONGEST_TITLE - subject.length - 4)} (${subject})`
    : shorten(rule, LONGEST_TITLE);
}

function subjectOf(moment: Material, rule: string): string | undefined {
  const { before, after } = around(moment);
  const near = [
    ...before.filter(({ role }) => role === 'agent').slice(-1),
    ...after.filter(({ role }) => role === 'agent').slice(0, 1),
  ];
  return near
    .flatMap(({ text }) => nameEntities(text))
    .map(({ name }) => name)
    .find(
      (name) => /^[\w./@-]{4,50}(?:\(\))?$/.test(name) && !rule.toLowerCase().includes(name.toLowerCase()),
    );
}

const quoted = (text: string) => shorten(text, 600).replace(/^/gm, '> ');

function lessonBody({ quote, why }: Material, reply: string | undefined): string {
  const answer = reply
    ? `\n\nThe agent answered: ${shorten(sentences(reply).slice(0, 3).join(' '), 400)}`
    : '';
  return `${quoted(quote)}${answer}\n\nKept because the message ${why.join(', ')}.`;
}

const findingBody = ({ quote, why }: Material) =>
  `${quoted(quote)}\n\nKept because what the agent said ${why.join(', ')}.`;
