import { isMap, isSeq, parseDocument } from 'yaml';
import { RELATION_TYPES } from '#contract/entities.ts';
import { flag } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';
import { isRecord } from '../platform/json.ts';

export const relationTypes = {
  id: 'knowledge.relation-types',
  seeds: ['S2'],
  doc: 'Allows only known relation types in notes, so that you can ask what causes, prevents or contradicts what.',
  switch: flag(
    'REFLECT_BACKFILL_RELATIONS',
    false,
    'Treat an unknown relation type as relates_to instead of rejecting it: in notes of a writer, and in files when `reflect repair` runs',
  ),
  knobs: {},
} satisfies PortCard;

const PLAIN = 'relates_to';
const isKnown = (type: unknown) => RELATION_TYPES.some((known) => known === type);

/** A writer's relations, unknown types replaced by relates_to; values that are no relations are left to be refused. */
export function backfillRelations(relations: unknown): unknown {
  if (!Array.isArray(relations)) return relations;
  return relations.map((relation: unknown) =>
    isRecord(relation) && !isKnown(relation.type) ? { ...relation, type: PLAIN } : relation,
  );
}

/** The same for the text of an entities file; one with only known types is returned unchanged. */
export function backfillSidecar(sidecar: string): string {
  const document = parseDocument(sidecar, { logLevel: 'error' });
  const relations = document.get('relationships');
  if (document.errors.length > 0 || !isSeq(relations)) return sidecar;
  const unknown = relations.items.filter(isMap).filter((relation) => !isKnown(relation.get('type')));
  if (unknown.length === 0) return sidecar;
  for (const relation of unknown) relation.set('type', PLAIN);
  return document.toString({ lineWidth: 0 });
}
