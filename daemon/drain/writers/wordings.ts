import { narrates } from '../../capture/judge/wording.ts';
import { COMMITTED } from '../../capture/captured.ts';
import { sentences } from '../../text/sentences.ts';
import { containment } from '../../text/similarity.ts';
import { countWords } from '../../text/tokenise.ts';
import type { Material } from '../writer.ts';
import { listsIn } from './lists.ts';
import { named } from './pronouns.ts';
import { saidByPerson } from './evidence.ts';
import { asRule } from './rule.ts';

/** One way of wording what was learned: a sentence of the dialogue, freed from its ties to it. */
export interface Wording {
  rule: string;
  /** The sentence it was made of. */
  source: string;
  /** Whose words: the person's, the agent's answer or later words, its commit, a finding, or an option it offered. */
  by: 'person' | 'answer' | 'later' | 'commit' | 'finding' | 'offer';
  /** Place of the sentence in its turn, from 0. */
  place: number;
  /** Share of its words that the quoted message has too. */
  near: number;
  /** The words that lead to it: its own label, or the heading or short sentence before it. */
  lead: string;
}

/** Fewer words say nothing; a person's few words are kept for what surrounds them. */
const leastWords = (by: Wording['by']) => (by === 'person' ? 2 : 4);
const SENTENCES = { person: 30, answer: 14, later: 14, commit: 8, finding: 14, offer: 1 } as const;

/** Every wording that the dialogue around a moment offers, each once. */
export function wordingsOf(moment: Material): Wording[] {
  const { quote, signal } = moment;
  const { before, after } = around(moment);
  const from = (by: Wording['by'], text: string) =>
    statementsIn(text)
      .slice(0, SENTENCES[by])
      .map(({ source, lead }, place) => ({
        source,
        lead,
        place,
        by,
        rule: asRule(source),
        near: containment(source, quote),
      }))
      .filter(({ rule }) => countWords(rule) >= leastWords(by))
      // An agent that announces its next step teaches nothing.
      .filter(({ rule }) => by === 'person' || !narrates(rule));
  const replies = after.filter(({ role }) => role === 'agent').map(({ text }) => text);
  const commits = after.filter(({ text }) => text.startsWith(COMMITTED)).map(messageOf);
  const [first = '', ...rest] = replies;
  const isPersons = saidByPerson(moment);
  const offered = before.findLast(({ role }) => role === 'agent')?.text ?? '';
  return onceEach([
    ...(isPersons ? [] : from('finding', quote)),
    ...(isPersons ? (signal === 'signal.answer' ? decisionsIn(quote) : from('person', quote)) : []),
    ...(isPersons ? from('offer', chosenFrom(offered, quote) ?? '') : []),
    ...from(isPersons ? 'answer' : 'later', first),
    ...rest.flatMap((reply) => from('later', reply)),
    ...commits.flatMap((message) => from('commit', message)),
  ]);
}

interface Statement {
  source: string;
  lead: string;
}

const LONGEST_LEAD = 60; // characters; a longer sentence says something itself
const OWN_LABEL = /^([^.:`]{3,40}?)(?::| [—–-]) (?=\S)/;

/** The sentences of a text; a list also as one statement, and a pronoun also as what it stands for. */
const statementsIn = (text: string): Statement[] => {
  const all = sentences(text);
  const stated: Statement[] = all.flatMap((sentence, index) => {
    // A sentence that ends in a colon only leads to a list or a block of code.
    if (sentence.endsWith(':')) return [];
    const previous = all[index - 1];
    const before = previous !== undefined && previous.length <= LONGEST_LEAD ? previous : '';
    const lead = sentence.match(OWN_LABEL)?.[1] ?? before;
    return [sentence, ...named(sentence, previous)].map((source) => ({ source, lead }));
  });
  return [...stated, ...listsIn(text).map((source) => ({ source, lead: '' }))];
};

const CONVENTIONAL = /^(?:\w+)(?:\([^)]*\))?!?: /;
/** A line break within a paragraph, where a message was wrapped to fit. */
const WRAPPED = /(?<=[^\s])\n[ \t]*(?=[^\s\-*•\d])/g;
/** The words of a commit, without the kind of change in front. */
const messageOf = ({ text }: { text: string }) =>
  text.slice(COMMITTED.length).replace(CONVENTIONAL, '').replace(WRAPPED, ' ');

const onceEach = (wordings: Wording[]): Wording[] => {
  const known = new Set<string>();
  return wordings.filter(({ rule }) => !known.has(rule) && known.add(rule));
};

/** The turns before and after the moment. */
export function around({ turns }: Pick<Material, 'turns'>) {
  const trigger = turns.findIndex((turn) => turn.trigger);
  return { before: turns.slice(0, Math.max(0, trigger)), after: turns.slice(trigger + 1) };
}

/** Answers to a question tool, one a line: a question with its answer is a decision that stands alone. */
function decisionsIn(quote: string): Wording[] {
  return quote
    .split('\n')
    .filter((line) => /\S → \S/.test(line))
    .map((source, place) => {
      const rule = source.replace(/\s*\((?:recommended|default)\)/gi, '').trim();
      return { source, place, by: 'person' as const, rule, near: 1, lead: '' };
    });
}

const CHOOSES = '(?:do|option|go (?:for|with)|take|choose|prefer|number) ?';
const CHOICE = new RegExp(`(?:^|\\b${CHOOSES})#?([1-9]|[a-e])(?:[).,]|$|\\s)`, 'i');

/** The item of the agent's list that a person chose: "let's do 2" means nothing without it. */
function chosenFrom(offer: string, choice: string): string | undefined {
  const item = choice.trim().match(CHOICE)?.[1];
  const line = (mark: string) =>
    new RegExp(`^\\s*(?:[-*]\\s+)?\\**(?:option )?${mark}[.):]\\**\\s*(.+)$`, 'im');
  return item && offer.match(line(item))?.[1];
}
