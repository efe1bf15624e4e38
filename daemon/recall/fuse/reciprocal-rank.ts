import { flag, integer } from '../../ports/knob.ts';
import type { Candidate } from '../candidate.ts';
import { byScore, linksIn, recallPort } from '../port.ts';

export const reciprocalRank = recallPort({
  id: 'fuse.reciprocal-rank',
  seeds: [],
  doc: 'Merges the arms by rank, because their scores are not comparable.',
  switch: flag('RECALL_RRF', true, 'Merge the arms by reciprocal rank'),
  knobs: {
    constant: integer('RECALL_RRF_K', {
      default: 60,
      min: 1,
      max: 1_000,
      doc: 'Higher values give the first ranks less weight',
    }),
  },
  off: (arms) => arms.flatMap(({ candidates }) => candidates),
  run(arms, _context, { constant }) {
    const fused = new Map<number, Candidate>();
    const links = linksIn(arms);
    for (const { arm, candidates } of arms) {
      candidates.forEach(({ seq }, index) => {
        const known = fused.get(seq);
        const note = `${known?.note ? `${known.note}, ` : ''}${arm} #${index + 1}`;
        fused.set(seq, {
          seq,
          score: (known?.score ?? 0) + 1 / (constant + index + 1),
          note,
          ...links.get(seq),
        });
      });
    }
    return {
      result: byScore([...fused.values()]),
      says: `${fused.size} from ${arms.filter(({ candidates }) => candidates.length > 0).length} arms`,
    };
  },
});
