import { type BenchModels, EMBEDDER_ROLES } from '../../bench/models.ts';
import { type Likeness, likenessBy as likenessThrough } from '../writers/likeness.ts';

/** Cosine of two texts, the mean of both embedders. */
export const likenessBy =
  (models: BenchModels) =>
  async (one: string, other: string): Promise<number> => {
    const cosines = await Promise.all(
      EMBEDDER_ROLES.map(async (role) => {
        const [a, b] = await Promise.all([models.document(role, one), models.document(role, other)]);
        return a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
      }),
    );
    return cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length;
  };

/** As the product compares wordings with their message, with vectors cached between runs. */
export const messageLikeness = (models: BenchModels): Likeness =>
  likenessThrough((text) => models.document('second-embedder', text));
