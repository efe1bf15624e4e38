import { calibrated } from '../../inference/similarity.ts';
import { flag, integer } from '../../ports/knob.ts';
import { searchByVector } from '../../store/search/vectors.ts';
import { armFloor } from '../arm-floor.ts';
import type { QuestionVector } from '../candidate.ts';
import { armPort } from '../port.ts';
import { LOOKED_AT, MOSTLY_CODE, shareOfCode } from '../share-of-code.ts';

export const vector = armPort({
  id: 'arm.vector',
  seeds: [],
  doc: 'Finds learnings that mean the same in other words.',
  switch: flag('RECALL_VECTOR_ARM', true, 'Search by meaning'),
  knobs: {
    depth: integer('RECALL_VECTOR_DEPTH', {
      default: 50,
      min: 1,
      max: 500,
      doc: 'Maximum number of candidates',
    }),
  },
  evidence: 'meaning',
  strength: 'score',
  floor: armFloor('RECALL_ARM_VECTOR_MIN_SCORE', 'similarity of meaning (0 unrelated, 1 the same)'),
  async run(_input, { db, shards, only, leadVector, vectors }, { depth }) {
    const lead = await leadVector();
    if (!lead) return { result: [], says: 'no embedder is available; searched by words only' };
    const near = (by: QuestionVector) => searchByVector(db, by.table, by.vector, shards, depth, only);
    const found = near(lead);
    // The first embedder finds more code than the leading one, and fewer notes.
    const isAboutCode = shareOfCode(db, found.map(({ seq }) => seq).slice(0, LOOKED_AT)) > MOSTLY_CODE;
    const [by = lead] = isAboutCode ? await vectors() : [];
    const matches = by === lead ? found : near(by);
    return {
      result: matches.map(({ seq, cosine }) => ({
        seq,
        score: calibrated(by.model, cosine),
        similarity: calibrated(by.model, cosine),
        note: `cosine ${cosine.toFixed(3)}`,
      })),
      says: `${matches.length} by meaning (${by.model.id})`,
    };
  },
});
