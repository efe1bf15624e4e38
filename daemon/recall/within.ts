import type { Learning } from '#contract/entities.ts';

/** True for a learning that was noted or changed in that time. */
export const isWithin = (
  { createdAt, updatedAt }: Pick<Learning, 'createdAt' | 'updatedAt'>,
  { start, end }: { start: number; end: number },
): boolean => [createdAt, updatedAt].some((at) => at >= start && at <= end);
