import { isMap, isSeq, parseDocument } from 'yaml';
import { RELATION_TYPES } from '#contract/entities.ts';
import { flag } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';

export const relationTypes = {
  id: 'knowledge.relation-types',
  seeds: ['S2'],
  doc: 'Lets a note draw only relations of a known kind, so that what causes, prevents or contradicts what can be asked for.',
  switch: flag(
    'REFLECT_BACKFILL_RELATIONS',
    false,
    'Take a relation of no known kind as relates_to instead of refusing it',
  ),
  knobs: {},
} satisfies PortCard;

const PLAIN = 'relates_to';
const isKnown = (type: unknown) => RELATION_TYPES.some((known) => known === type);

/** Relations as a writer gave them, those of no known kind made plain; what is no relation at all is left to be refused. */
export function backfillRelations(relations: unknown): unknown {
  if (!Array.isArray(relations)) return relations;
  return relations.map((relation: unknown) =>
    isRecord(relation) && !isKnown(relation.type) ? { ...relation, type: PLAIN } : relation,
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same for the text of an entities file. Nothing else in it changes; one with known kinds only comes back to the byte. */
export function backfillSidecar(sidecar: string): string {
  const document = parseDocument(sidecar, { logLevel: 'error' });
  const relations = document.get('relationships');
  if (document.errors.length > 0 || !isSeq(relations)) return sidecar;
  const unknown = relations.items.filter(isMap).filter((relation) => !isKnown(relation.get('type')));
  if (unknown.length === 0) return sidecar;
  for (const relation of unknown) relation.set('type', PLAIN);
  return document.toString({ lineWidth: 0 });
}
