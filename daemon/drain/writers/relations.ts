import type { Entity, Relation } from '#contract/entities.ts';
import { sentences } from '../../text/sentences.ts';

type Typed = Pick<Relation, 'source' | 'target' | 'type' | 'strength'>;

/** How a sentence ties what it names first to what it names next. */
const TIES: ReadonlyArray<[type: Relation['type'], between: RegExp]> = [
  ['supersedes', /\b(?:instead of|rather than|not|replaces|over)\b/i],
  ['caused_by', /\b(?:because(?: of)?|caused by|due to|fails? (?:on|with|when)|broke(?:n)? by)\b/i],
  ['causes', /\b(?:causes?|causing|corrupts?|breaks?|leads? to|results? in|crashes)\b/i],
  ['prevents', /\b(?:prevents?|blocks?|avoids?|stops?|does not trigger|doesn't trigger)\b/i],
  ['requires', /\b(?:requires?|needs?|must (?:have|be|call)|without|depends? on)\b/i],
  ['configures', /\b(?:configures?|sets?|configured (?:in|for|by))\b/i],
  ['uses', /\b(?:uses?|using|calls?|calling|via|through|with)\b/i],
  ['part_of', /\b(?:in|inside|under|of|from|belongs to|lives in)\b/i],
];
const MOST = 8;

/** The edges a text draws between the things it names: the nearest tie in words decides their type (S2). */
export function relationsIn(text: string, entities: readonly Entity[]): Typed[] {
  const found = new Map<string, Typed>();
  for (const sentence of sentences(text)) {
    const named = positions(sentence, entities);
    named.slice(1).forEach((next, index) => {
      const first = named[index];
      if (!first || first.name === next.name) return;
      const between = sentence.slice(first.end, next.start);
      const tie = TIES.find(([, pattern]) => pattern.test(between));
      const edge: Typed = {
        source: first.name,
        target: next.name,
        type: tie?.[0] ?? 'relates_to',
        strength: tie ? 6 : 3,
      };
      const key = `${edge.source}\n${edge.target}`;
      if ((found.get(key)?.strength ?? 0) < edge.strength) found.set(key, edge);
    });
  }
  return [...found.values()].slice(0, MOST);
}

function positions(
  sentence: string,
  entities: readonly Entity[],
): Array<{ name: string; start: number; end: number }> {
  return entities
    .map(({ name }) => ({ name, start: whole(name).exec(sentence)?.index ?? -1 }))
    .filter(({ start }) => start >= 0)
    .map(({ name, start }) => ({ name, start, end: start + name.length }))
    .sort((one, other) => one.start - other.start);
}

/** A name where it is not part of a longer one: `npm` is not in `pnpm`. */
const whole = (name: string) =>
  new RegExp(`(?<![\\w.-])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`, 'i');
