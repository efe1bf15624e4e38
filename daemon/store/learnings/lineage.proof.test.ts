import { describe, expect, test } from 'vitest';
import { drainWorld } from '../../drain/testing.ts';
import { answerMerge } from '../../knowledge/merges.ts';
import { askMerge } from './questions.ts';
import { chunksOfLearning, chunksOfTranscript, linkChunk } from './lineage.ts';

async function drained() {
  const world = drainWorld();
  world.say("don't mock the database", { transcript: 'monday.jsonl', span: { start: 4_000, end: 4_200 } });
  world.say('never commit generated files', { transcript: 'monday.jsonl', span: { start: 120, end: 300 } });
  world.say("don't mock the database", { transcript: 'tuesday.jsonl', span: { start: 77, end: 99 } });
  await world.drain.run();
  const [mock = '', generated = ''] = world.moments().map(({ learningId }) => learningId ?? '');
  return { ...world, db: world.store.db, mock, generated };
}

describe('S8 transcript, chunk, learning grouping', () => {
  test('S8: a transcript lists its chunks in order, to the byte, each with what was learned from it', async () => {
    const { db, mock, generated } = await drained();
    expect(chunksOfTranscript(db, 'monday.jsonl')).toMatchObject([
      { spanStart: 120, spanEnd: 300, state: 'kept', learnings: [generated] },
      { spanStart: 4_000, spanEnd: 4_200, state: 'kept', learnings: [mock] },
    ]);
  });

  test('S8: one learning may come from several chunks, and nothing leaks into another transcript', async () => {
    const { db, mock } = await drained();
    expect(chunksOfLearning(db, mock).map(({ transcript, spanStart }) => [transcript, spanStart])).toEqual([
      ['monday.jsonl', 4_000],
      ['tuesday.jsonl', 77],
    ]);
    expect(chunksOfTranscript(db, 'tuesday.jsonl').flatMap(({ learnings }) => learnings)).toEqual([mock]);
    expect(chunksOfTranscript(db, 'wednesday.jsonl')).toEqual([]);
  });

  test('S8: recording again what is recorded changes nothing, and a transcript read again is not processed twice', async () => {
    const { db, say, drain, mock, moments } = await drained();
    const before = chunksOfTranscript(db, 'monday.jsonl');
    expect(linkChunk(db, before[1]?.id ?? 0, mock)).toBe(false);
    say("don't mock the database", { transcript: 'monday.jsonl', key: 'signal.correction:1' });
    await drain.run();
    expect(chunksOfTranscript(db, 'monday.jsonl')).toEqual(before);
    expect(moments()).toHaveLength(3);
  });

  test('S8: a merge copies the chunks of the superseded note', async () => {
    const { store, db, mock, generated } = await drained();
    const question = askMerge(store, {
      existingId: mock,
      incomingId: generated,
      similarity: 0.95,
    });
    answerMerge(store, question, 'merge', {}, 'person');
    expect(chunksOfLearning(db, mock).map(({ spanStart }) => spanStart)).toEqual([4_000, 120, 77]);
    expect(chunksOfLearning(db, generated)).toHaveLength(1);
  });
});
