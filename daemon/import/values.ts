import { type Entity, ENTITY_TYPES, type Relation, RELATION_TYPES } from '#contract/entities.ts';
import { shorten } from '../text/one-line.ts';
import { type Fields, list, text, time } from '../transcripts/fields.ts';

const TITLE = 200; // characters; the contract allows more, but a list shows one line

/** A line that can be a title. */
export function titleOf(written: string): string {
  return shorten(withoutEmphasis(written), TITLE);
}

const withoutEmphasis = (line: string): string =>
  line.replaceAll(/\*\*([^*]+)\*\*/g, '$1').replaceAll(/\[\[([^\]]+)\]\]/g, '$1');

/** Tags as a list or, as some programs write them, as one text. */
export function tagsOf(value: unknown): string[] {
  const tags =
    typeof value === 'string' ? value.split(/[,;]/) : Array.isArray(value) ? value.map(String) : [];
  return [...new Set(tags.map((tag) => tag.trim().replace(/^#/, '')).filter((tag) => tag !== ''))].slice(
    0,
    50,
  );
}

/** The fields without those that were understood, to be written back as they were; undefined when none are left. */
export function frontMatterLeft(
  front: Fields,
  understood: readonly string[],
): Record<string, unknown> | undefined {
  const left = Object.entries(front).filter(([key]) => !understood.includes(key));
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/** A date field as epoch milliseconds; undefined when it is none. */
export function dateOf(value: unknown): number | undefined {
  const at = Math.round(time(value));
  return at > 0 ? at : undefined;
}

/** When a note was written and last changed, under the names programs use for it. */
export function datesOf(front: Fields): { createdAt?: number; updatedAt?: number } {
  const createdAt = dateOf(front.created ?? front.captured_at ?? front.date);
  const updatedAt = dateOf(front.updated ?? front.modified) ?? createdAt;
  return { ...(createdAt ? { createdAt } : {}), ...(updatedAt ? { updatedAt } : {}) };
}

/** An entity of a type we know; a concept otherwise. */
export function entityOf(name: string, type = '', description = ''): Entity {
  return { name, type: ENTITY_TYPES.find((known) => known === type) ?? 'concept', description };
}

/** A relation of a type we know; otherwise it only relates. */
export function relationOf(
  source: string,
  target: string,
  type: string,
  description = '',
  strength = 5,
): Relation {
  const known = RELATION_TYPES.find((each) => each === type.toLowerCase().replaceAll(/[\s-]+/g, '_'));
  return {
    source,
    target,
    type: known ?? 'relates_to',
    description: known || description ? description : type,
    strength: Math.min(10, Math.max(1, Math.round(strength))),
    committedAt: null,
    validFrom: null,
    validTo: null,
  };
}

/** Relations written as `{source, target, type}`; those without both ends are left out. */
export function relationsOf(rows: readonly Fields[]): Relation[] {
  return rows
    .filter((row) => text(row, 'source') !== '' && text(row, 'target') !== '')
    .map((row) => ({
      ...relationOf(
        text(row, 'source'),
        text(row, 'target'),
        text(row, 'type'),
        text(row, 'description'),
        typeof row.strength === 'number' ? row.strength : 5,
      ),
      committedAt: dateOf(row.tcommit) ?? null,
      validFrom: dateOf(row.tvalid) ?? null,
      validTo: dateOf(row.tvalid_end) ?? null,
    }));
}

/** Entities written as names or as `{name, type, description}`; of one written twice, the fuller. */
export function entitiesOf(value: unknown): Entity[] {
  const named = Array.isArray(value) ? value.filter((each) => typeof each === 'string' && each !== '') : [];
  const all = [
    ...named.map((name) => entityOf(name as string)),
    ...list({ value }, 'value')
      .filter((row) => text(row, 'name') !== '')
      .map((row) => entityOf(text(row, 'name'), text(row, 'type'), text(row, 'description'))),
  ];
  return [...new Map(all.map((entity) => [entity.name, entity])).values()];
}
