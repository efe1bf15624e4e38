import { expect, test } from 'vitest';
import { type Cue, judge } from '../../capture/judge/cue.ts';
import { FINDING_CUES } from '../../capture/judge/finding-cues.ts';
import { HUMAN_CUES } from '../../capture/judge/human-cues.ts';
import { HUMAN_KINDS } from '../../capture/judge/kinds.ts';
import weights from '../../capture/judge/weights.json' with { type: 'json' };
import { SIGNALS } from '../../capture/ports.ts';
import { NOTE_CUES, WORDING_CUES } from '../note-cues.ts';
import noteWeights from '../note-weights.json' with { type: 'json' };
import { saidByPerson } from './evidence.ts';

const JUDGES = [
  { name: 'human', cues: HUMAN_CUES.map(({ id, why }) => ({ id, why })), fitted: weights.human },
  { name: 'note', cues: NOTE_CUES.map(({ id, why }) => ({ id, why })), fitted: noteWeights.note },
  { name: 'wording', cues: WORDING_CUES.map(({ id, why }) => ({ id, why })), fitted: noteWeights.wording },
  { name: 'finding', cues: FINDING_CUES.map(({ id, why }) => ({ id, why })), fitted: weights.finding },
];

test.each(JUDGES)('$name: every cue has a weight and every weight a cue', ({ cues, fitted }) => {
  expect(Object.keys(fitted.cues).toSorted()).toEqual(cues.map(({ id }) => id).toSorted());
});

test.each(JUDGES)('$name: ids and reasons are unique, and an id is no sentence', ({ cues }) => {
  expect(new Set(cues.map(({ id }) => id)).size).toBe(cues.length);
  expect(new Set(cues.map(({ why }) => why)).size).toBe(cues.length);
  for (const { id } of cues) expect(id).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
});

test('a reason may be reworded: the weight stays, and the verdict names the same cue', () => {
  const cue: Cue<string> = { id: 'loud', why: 'shouts', prior: 0, holds: (text) => text.endsWith('!') };
  const fitted = { bias: 0, cues: { loud: 2 } };
  const [before, after] = [cue, { ...cue, why: 'raises its voice' }].map((each) =>
    judge([each], fitted, 'no!'),
  );
  expect(after).toEqual({ ...before, why: ['raises its voice'] });
  expect(before?.cues).toEqual(['loud']);
});

test('the kinds a person says are signals of their own, and no other signal is one of them', () => {
  const said = SIGNALS.filter(({ id }) => saidByPerson({ signal: id })).map(({ id }) => id);
  expect(said.toSorted()).toEqual(HUMAN_KINDS.map((kind) => `signal.${kind}`).toSorted());
});
