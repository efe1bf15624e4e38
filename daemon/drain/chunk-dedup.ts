import { createHash } from 'node:crypto';
import { flag, integer, type Resolve } from '../ports/knob.ts';
import { projectPort } from '../ports/port.ts';
import type { ReadableDb } from '../store/db.ts';
import { learningFromChunk, type NewMoment } from '../store/capture/moments.ts';
import { DAY } from '../platform/time.ts';

export const chunkDedup = projectPort({
  id: 'drain.chunk-dedup',
  seeds: ['S7'],
  doc: 'Counts repeated words as one more proof instead of writing a second note.',
  switch: flag(
    'REFLECT_CHUNK_DEDUP',
    true,
    'Recognise repeated words without the writer; off writes and compares them again',
  ),
  knobs: {
    ttlDays: integer('REFLECT_CHUNK_TTL_DAYS', {
      default: 30,
      min: 1,
      max: 3_650,
      doc: 'Days within which the same words count as repeated',
    }),
  },
});

/** The same words, whatever the spacing, are the same chunk. */
export function chunkHash(text: string): string {
  return createHash('sha256').update(text.replace(/\s+/g, ' ').trim()).digest('hex').slice(0, 16);
}

/**
 * The learning made from these very words shortly before or after: a back-fill reads the newest session first. Only in
 * this project, because the same words in another one are a lesson of that project.
 */
export function knownFrom(
  db: ReadableDb,
  { chunkHash: hash, project, at }: Pick<NewMoment, 'chunkHash' | 'project' | 'at'>,
  resolve: Resolve,
): string | undefined {
  if (!resolve(chunkDedup.switch)) return undefined;
  return learningFromChunk(db, {
    chunkHash: hash,
    project,
    at,
    within: resolve(chunkDedup.knobs.ttlDays) * DAY,
  });
}
