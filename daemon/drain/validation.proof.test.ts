import { describe, expect, test } from 'vitest';
import type { NoteInput } from '#contract/entities.ts';
import { relationTypes } from '../knowledge/relation-types.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { engineering } from './modes/engineering.ts';
import { drainWorld } from './testing.ts';
import { problemsOf, validation } from './validation.ts';
import type { Writer } from './writer.ts';

const GOOD: NoteInput = {
  title: 'Run the tests with vitest',
  category: 'testing',
  type: 'correction',
  tags: ['vitest'],
  confidence: 0.8,
  rule: 'vitest, never jest.',
  entities: [
    { name: 'vitest', type: 'tool' },
    { name: 'Jest', type: 'tool' },
  ],
  relations: [{ source: 'vitest', target: 'Jest', type: 'supersedes' }],
};
const MADE_UP: NoteInput = { ...GOOD, entities: [{ name: 'Kubernetes', type: 'technology' }] };
const LOVES = {
  ...GOOD,
  relations: [{ source: 'vitest', target: 'Jest', type: 'loves' }],
} as unknown as NoteInput; // as a model may answer

/** Writes these, one after the other, and remembers what it was told. */
function writing(...notes: Array<NoteInput | null>): Writer & { told: string[][] } {
  const told: string[][] = [];
  return {
    name: 'scripted',
    told,
    write: async (_window, _mode, problems) =>
      notes[Math.min(told.push([...problems]), notes.length) - 1] ?? null,
  };
}

async function drained(writer: Writer, knobs = {}) {
  const world = drainWorld({ writer, knobs });
  world.say('use vitest, not jest');
  await world.drain.run();
  const [moment] = world.moments();
  return { moment, learning: moment?.learningId ? getLearning(world.store.db, moment.learningId) : null };
}

describe('S10 write-validate-retry', () => {
  test('S10: a note that is right the first time is kept at the first attempt', async () => {
    const writer = writing(GOOD);
    expect((await drained(writer)).learning).toMatchObject({ title: GOOD.title, validated: true });
    expect(writer.told).toEqual([[]]);
  });

  test('S10: one that is wrong is written again, told what was wrong, and kept as soon as it is right', async () => {
    const writer = writing(MADE_UP, GOOD, MADE_UP);
    const { learning } = await drained(writer);
    expect(learning).toMatchObject({ validated: true, entities: [{ name: 'vitest' }, { name: 'Jest' }] });
    expect(writer.told).toEqual([[], ['entities: the note does not name "Kubernetes"']]);
  });

  test('S10: one that stays wrong is kept after exactly three attempts, marked, with what can be kept of it', async () => {
    const writer = writing(LOVES);
    const { moment, learning } = await drained(writer);
    expect(writer.told).toHaveLength(3);
    expect(moment?.state).toBe('kept');
    expect(learning).toMatchObject({
      title: GOOD.title,
      validated: false,
      relations: [],
      entities: GOOD.entities,
    });
    expect(learning?.metadata.problems).toEqual([
      expect.stringMatching(/^relations\.0\.type: .*caused_by/) as string,
    ]);
  });

  test('S10: even a note that says nothing usable is not lost', async () => {
    const { learning } = await drained(
      writing({ title: '', tags: 'none', confidence: 'high', entities: 'x' } as unknown as NoteInput),
    );
    expect(learning).toMatchObject({
      title: 'use vitest, not jest',
      validated: false,
      tags: [],
    });
  });

  test('S10: the number of attempts is a knob', async () => {
    for (const attempts of [1, 2, 5]) {
      const writer = writing(MADE_UP);
      await drained(writer, { [validation.knobs.attempts.name]: attempts });
      expect(writer.told).toHaveLength(attempts);
    }
  });

  test('S10: switched off, what was made up is kept as if it were right (counterfactual)', async () => {
    const writer = writing(MADE_UP);
    const { learning } = await drained(writer, { [validation.switch.name]: false });
    expect(learning).toMatchObject({ validated: true, entities: [{ name: 'Kubernetes' }] });
    expect(writer.told).toHaveLength(1);
  });

  test('S10: a writer that finds nothing to keep at its second attempt keeps nothing', async () => {
    expect((await drained(writing(MADE_UP, null))).moment).toMatchObject({
      state: 'dismissed',
      learningId: null,
    });
  });

  test('S10: with relations backfilled, one of an unknown kind is no problem', async () => {
    const writer = writing(LOVES);
    const { learning } = await drained(writer, { [relationTypes.switch.name]: true });
    expect(learning).toMatchObject({
      validated: true,
      relations: [{ source: 'vitest', target: 'Jest', type: 'relates_to' }],
    });
    expect(writer.told).toHaveLength(1);
  });

  test.each([
    ['no title', { ...GOOD, title: ' ' }, /^title: it is empty/],
    ['no category', { ...GOOD, category: '' }, /^category: it is empty/],
    ['no tags', { ...GOOD, tags: [] }, /^tags: it is empty/],
    ['no confidence', { ...GOOD, confidence: undefined }, /^confidence: it is empty/],
    [
      'a category of no mode',
      { ...GOOD, category: 'cooking' },
      /^category: "cooking" is none of security, testing/,
    ],
    ['a type of no mode', { ...GOOD, type: 'poem' }, /^type: "poem" is none of correction/],
    [
      'an entity of an unknown type',
      { ...GOOD, entities: [{ name: 'vitest', type: 'person' }] },
      /^entities\.0\.type: /,
    ],
    [
      'a relation without an end',
      { ...GOOD, relations: [{ source: 'vitest', type: 'uses' }] },
      /^relations\.0\.target: /,
    ],
    [
      'a time that is none',
      { ...GOOD, relations: [{ source: 'vitest', target: 'Jest', type: 'uses', validFrom: 'soon' }] },
      /^relations\.0\.validFrom: /,
    ],
    ['a field of its own', { ...GOOD, mood: 'good' }, /mood/],
  ])('S10: %s is a problem', (_what, note, problem) => {
    expect(problemsOf(note as NoteInput, engineering)).toEqual([expect.stringMatching(problem) as string]);
  });
});
