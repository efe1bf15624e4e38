import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RELATION_TYPES } from '#contract/entities.ts';
import { parseDocument } from '../store/learnings/document-format.ts';
import { knownDocuments, sidecarPath } from '../store/learnings/documents.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { given, tempStore } from '../testing/temp-home.ts';
import { ingestDocuments } from './hand-edits.ts';
import { backfillRelations, backfillSidecar } from './relation-types.ts';
import { repairDocuments } from './repair.ts';

const sidecar = (type: string) =>
  `entities:\n  - { name: a, type: tool }\nrelationships:\n  - { source: a, target: b, type: ${type} } # as Ada says\n`;
const read = (text: string) =>
  parseDocument({ markdown: '---\ntitle: x\n---\n', sidecar: text }).note.relations;

/** A note on disk whose entities file a person changed to this. */
function edited(text: string) {
  const store = tempStore();
  const { id } = given(store, {
    title: 'Use vitest',
    entities: [{ name: 'a', type: 'tool' }],
    relations: [{ source: 'a', target: 'b', type: 'uses' }],
  }).learning;
  const path = knownDocuments(store.db)[0]?.path ?? '';
  const file = join(store.documents, sidecarPath(path));
  writeFileSync(file, text);
  ingestDocuments(store, [path]);
  return { store, path, file, note: () => getLearning(store.db, id) };
}

describe('S2 typed causal-link enum', () => {
  test.each(RELATION_TYPES)('S2: %s is a relation type', (type) => {
    expect(read(sidecar(type))).toMatchObject([{ source: 'a', target: 'b', type }]);
  });

  test('S2: an unknown type is refused with a message that names the place and the choices', () => {
    expect(() => read(sidecar('likes'))).toThrow(
      /entities file is not valid: relationships\.0\.type: .*"caused_by"/,
    );
    expect(() => read(sidecar('~'))).toThrow(/relationships\.0\.type/);
    expect(() => read('relationships:\n  - { source: a, target: b }\n')).toThrow(/relationships\.0\.type/);
  });

  test('S2: refused on disk, the note keeps its last good relations; the repair makes it relates_to (counterfactual)', () => {
    const { store, path, file, note } = edited(sidecar('likes'));
    expect(note()).toMatchObject({
      relations: [{ type: 'uses' }],
      documentProblem: expect.stringContaining('relationships.0.type') as string,
    });
    expect(repairDocuments(store, false)).toMatchObject({ repaired: [], left: [{ path }] });
    expect(repairDocuments(store, true)).toEqual({ repaired: [path], left: [] });
    expect(note()).toMatchObject({
      relations: [{ source: 'a', target: 'b', type: 'relates_to' }],
      documentProblem: null,
    });
    expect(readFileSync(file, 'utf8')).toContain('# as Ada says');
  });

  test('S2: the repair leaves other problems alone, and reports them', () => {
    const broken = sidecar('uses').replace('target: b', 'target: b, tvalid: soon');
    const { store, path, file } = edited(broken);
    expect(repairDocuments(store, true)).toEqual({
      repaired: [],
      left: [{ path, problem: 'tvalid is not a date: soon' }],
    });
    expect(readFileSync(file, 'utf8')).toBe(broken);
  });

  test('S2: a file with only known types does not change by a byte', () => {
    const odd = "relationships:   # odd spacing\n- {source: a,target: b,   type: 'uses'}\n\n";
    expect(backfillSidecar(odd)).toBe(odd);
    for (const text of ['', 'entities: [', 'relationships: none\n', 'relationships:\n  - just words\n'])
      expect(backfillSidecar(text)).toBe(text);
  });

  test('S2: a missing type becomes relates_to like an unknown one, and a known one stays', () => {
    const relations = [
      { source: 'a', target: 'b' },
      { source: 'a', target: 'b', type: 'likes' },
      { source: 'a', target: 'b', type: 'causes' },
    ];
    expect(backfillRelations(relations)).toEqual(
      relations.map((relation) => ({
        ...relation,
        type: relation.type === 'causes' ? 'causes' : 'relates_to',
      })),
    );
    expect([backfillRelations(undefined), backfillRelations('x'), backfillRelations([5])]).toEqual([
      undefined,
      'x',
      [5],
    ]);
  });

  test('S2: an invalid time is refused, whatever the type', () => {
    for (const time of ['tcommit', 'tvalid', 'tvalid_end'])
      expect(() => read(sidecar(`uses, ${time}: 2026-13-45`))).toThrow(`${time} is not a date: 2026-13-45`);
  });
});
