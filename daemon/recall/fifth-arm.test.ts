import { expect, test } from 'vitest';
import { flag, number } from '../ports/knob.ts';
import { searchByWords } from '../store/search/words.ts';
import { world } from '../testing/world.ts';
import { armFloor } from './arm-floor.ts';
import { perArm } from './floor/per-arm.ts';
import { adaptive } from './fuse/adaptive.ts';
import { recall } from './pipeline.ts';
import { armPort } from './port.ts';
import { RECALL_PORTS } from './ports.ts';
import { requestFor } from './recall.ts';

const LINTING = { title: 'Lint before you commit', scope: 'global' as const };
const OTHER = { title: 'The office plant is called Ferdinand', scope: 'global' as const };

/** Brings one note with this strength, whatever is asked. */
const pinned = (seq: number, score: number) =>
  armPort({
    id: 'arm.pinned',
    seeds: [],
    doc: 'Brings what was pinned.',
    switch: flag('RECALL_PINNED_ARM', true, 'Bring what was pinned'),
    knobs: {},
    evidence: 'finds',
    strength: 'score',
    floor: { ...armFloor('RECALL_ARM_PINNED_MIN_SCORE', 'strength'), default: 0.3 },
    weight: number('RECALL_PINNED_WEIGHT', {
      default: 20,
      min: 0,
      max: 20,
      doc: 'What a pinned find is worth',
    }),
    run: () => ({ result: [{ seq, score }], says: 'one' }),
  });

async function recalledWith(score: number) {
  const { parts } = await world([LINTING, OTHER]);
  const seq = searchByWords(parts.db, 'ferdinand', null, 1)[0]?.seq ?? 0;
  const everywhere = { project: null, branch: null, allBranches: true, everywhere: true };
  const request = requestFor(parts, { query: 'lint before a commit' }, everywhere, 10);
  const ports = { ...RECALL_PORTS, arm: [...RECALL_PORTS.arm, pinned(seq, score)] };
  const { hits, steps } = await recall(request, parts.settings.resolver({ projectRoot: null }), ports);
  const step = (port: { id: string }) => steps.find((each) => each.port.id === port.id);
  return {
    titles: hits.map(({ learning }) => learning.title),
    seq,
    floor: step(perArm),
    fuse: step(adaptive),
  };
}

test('an arm nobody has heard of counts in the fuse by the weight it declares', async () => {
  const { titles, seq, fuse } = await recalledWith(1);
  expect(titles[0]).toBe(OTHER.title);
  expect(fuse?.candidates.find((candidate) => candidate.seq === seq)?.note).toContain('pinned #1');
});

test('and is held to the floor it declares', async () => {
  const { titles, floor } = await recalledWith(0.2);
  expect(titles[0]).toBe(LINTING.title);
  expect(floor?.candidates.map(({ score }) => score)).not.toContain(0.2);
});
