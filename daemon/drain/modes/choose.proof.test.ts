import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { getLearning } from '../../store/learnings/learnings.ts';
import { tempFolder } from '../../testing/temp-home.ts';
import { drainWorld, withKnobs } from '../testing.ts';
import { chooseMode, modes } from './choose.ts';
import { engineering } from './engineering.ts';
import { glyphsOf } from './mode.ts';
import { research } from './research.ts';
import { writing } from './writing.ts';

function folderWith(files: Record<string, unknown>): string {
  const folder = tempFolder();
  for (const [name, content] of Object.entries(files))
    writeFileSync(
      join(folder, `${name}.json`),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  return folder;
}

const choose = (name: string, files: Record<string, unknown> = {}, knobs = {}) =>
  chooseMode(folderWith(files), withKnobs({ REFLECT_MODE: name, ...knobs }));

const LAB = { description: 'Our lab', concepts: ['assay'], prompts: { keep: 'Keep every assay.' } };

describe('M4 pluggable-mode inheritance', () => {
  test('M4: a mode takes from its parent what it does not say itself', () => {
    const { mode, notice } = choose('research--lab', { 'research--lab': LAB });
    expect(notice).toBe('');
    expect(mode).toEqual({
      ...research,
      name: 'research--lab',
      description: 'Our lab',
      concepts: ['assay'],
      prompts: { ...research.prompts, keep: 'Keep every assay.' },
    });
  });

  test('M4: lists are replaced whole and objects are merged, at any depth', () => {
    const { mode } = choose('research--lab', {
      'research--lab': { ...LAB, categories: [{ name: 'assays' }], signals: { high: ['always'] } },
    });
    expect(mode.categories).toEqual([{ name: 'assays', words: [] }]);
    expect(mode.signals).toEqual({ ...research.signals, high: ['always'] });
  });

  test('M4: inheritance is one level: what only the grandparent says is not taken', () => {
    const { learningTypes, categories } = research;
    const { mode, notice } = choose('research--lab--ada', {
      'research--lab': { ...LAB, learningTypes, categories },
      'research--lab--ada': { description: 'Ada' },
    });
    expect(notice).toBe('');
    expect(mode.prompts).toEqual({ role: '', keep: 'Keep every assay.', skip: '' });
    expect(mode).toMatchObject({
      name: 'research--lab--ada',
      description: 'Ada',
      concepts: ['assay'],
      categories,
    });
  });

  test('M4: the setting decides which mode notes are taken in', async () => {
    const taken = async (mode: string) => {
      const world = drainWorld({ knobs: { REFLECT_MODE: mode } });
      world.say('never cite a preprint as a source without saying so');
      await world.drain.run();
      return getLearning(world.store.db, world.moments()[0]?.learningId ?? '');
    };
    const [engineer, researcher, writer] = await Promise.all(
      ['engineering', 'research', 'writing'].map(taken),
    );
    expect([engineer?.category, researcher?.category, writer?.category]).toEqual([
      'general',
      'sources',
      'facts',
    ]);
    expect([engineer?.validated, researcher?.validated, writer?.validated]).toEqual([true, true, true]);
  });

  test('M4: a type the mode does not have is the first of those it has', async () => {
    const world = drainWorld({ knobs: { REFLECT_MODE: 'notes' } });
    mkdirSync(world.store.paths.modes);
    writeFileSync(
      join(world.store.paths.modes, 'notes.json'),
      JSON.stringify({ learningTypes: [{ id: 'note', label: 'Note' }], categories: [{ name: 'all' }] }),
    );
    world.say("don't mock the database");
    await world.drain.run();
    expect(getLearning(world.store.db, world.moments()[0]?.learningId ?? '')).toMatchObject({
      type: 'note',
      category: 'all',
      validated: true,
    });
  });

  test('M4: the phrases of a mode count: the same words are worth more or less in it, with the reason', async () => {
    const valued = async (signals: Record<string, string[]>) => {
      const world = drainWorld({ knobs: { REFLECT_MODE: 'engineering--house' } });
      mkdirSync(world.store.paths.modes);
      writeFileSync(join(world.store.paths.modes, 'engineering--house.json'), JSON.stringify({ signals }));
      world.say("don't mock the database, house rule");
      await world.drain.run();
      const learning = getLearning(world.store.db, world.moments()[0]?.learningId ?? '');
      return { confidence: learning.confidence, judged: JSON.stringify(learning.metadata.judged) };
    };
    const [plain, high, medium, low] = await Promise.all([
      valued({}),
      valued({ high: ['house rule'] }),
      valued({ medium: ['House Rule'] }),
      valued({ low: ['house rule'] }),
    ]);
    expect(high.confidence).toBeGreaterThan(medium.confidence);
    expect(medium.confidence).toBeGreaterThan(plain.confidence);
    expect(plain.confidence).toBeGreaterThan(low.confidence);
    expect(high.judged).toContain('says “house rule”, which counts in the mode engineering--house');
    expect(plain.judged).not.toContain('counts in the mode');
  });

  test('M4: REFLECT_MODES_DIR names the folder of a person’s own modes', () => {
    const elsewhere = folderWith({ 'research--lab': LAB });
    const { mode } = choose('research--lab', {}, { REFLECT_MODES_DIR: elsewhere });
    expect(mode.description).toBe('Our lab');
    expect(choose('research--lab').mode).toBe(engineering);
  });

  test('M4: the signs of types are the mode’s own', () => {
    const types = [
      { id: 'assay', label: 'Assay', glyph: '⚗' },
      { id: 'note', label: 'Note' },
    ];
    const { mode } = choose('research--lab', { 'research--lab': { ...LAB, learningTypes: types } });
    expect(glyphsOf(mode)).toEqual({ assay: '⚗' });
    expect(glyphsOf(engineering)).toMatchObject({ 'bug-fix': '✗', decision: '⚖' });
  });

  test('M4: switched off, only the built-in modes are known (counterfactual)', () => {
    const { mode, notice } = choose(
      'research--lab',
      { 'research--lab': LAB },
      { [modes.switch.name]: false },
    );
    expect(mode).toBe(engineering);
    expect(notice).toMatch(/instead of research--lab: there is no such mode/);
    expect(choose('writing', {}, { [modes.switch.name]: false })).toEqual({ mode: writing, notice: '' });
  });

  test('M4: a file of the person’s own stands for a built-in mode of its name', () => {
    expect(choose('writing', { writing: { ...writing, description: 'Mine' } }).mode.description).toBe('Mine');
  });

  test.each([
    ['a name nobody knows', 'cooking', {}, /no such mode; built in are engineering, research, writing/],
    ['a parent nobody knows', 'cooking--cakes', { 'cooking--cakes': {} }, /no mode cooking to inherit from/],
    ['a path', '../../secrets', {}, /letters, digits and dashes/],
    ['a file that is no JSON', 'mine', { mine: '{' }, /JSON/],
    ['a file that is a list', 'mine', { mine: [] }, /mine\.json is not an object/],
    ['a file that misses a part', 'mine', { mine: { categories: [{ name: 'all' }] } }, /learningTypes/],
    ['a misspelt key', 'writing--x', { 'writing--x': { catgories: [] } }, /catgories/],
    ['a hostile key', 'writing--x', { 'writing--x': '{"__proto__":{"polluted":1}}' }, /__proto__/],
  ])('M4: %s leaves engineering in force and says why', (_what, name, files, why) => {
    const { mode, notice } = choose(name, files);
    expect(mode).toBe(engineering);
    expect(notice).toMatch(why);
    expect('polluted' in {}).toBe(false);
  });

  test('M4: the drain tells the notice to the person until a mode that can be used is set', async () => {
    const knobs = { REFLECT_MODE: 'cooking' };
    const world = drainWorld({ knobs });
    world.say("don't mock the database");
    world.say('never commit generated files');
    await world.drain.run();
    expect(world.drain.notices).toEqual([expect.stringMatching(/used instead of cooking/) as string]);
    expect(world.moments().map(({ state }) => state)).toEqual(['kept', 'kept']);
    knobs.REFLECT_MODE = 'engineering';
    expect(world.drain.notices).toEqual([]);
  });
});
