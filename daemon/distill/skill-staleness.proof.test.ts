import { expect, test } from 'vitest';
import { DAY } from '../platform/time.ts';
import { withKnobs } from '../drain/testing.ts';
import { changeLearning } from '../store/learnings/write.ts';
import { rememberProject } from '../store/learnings/learnings.ts';
import { putSkill } from '../store/distill/skills.ts';
import { EDITED, START } from '../testing/temp-home.ts';
import { skillStaleness, staleSkills } from './skill-staleness.ts';
import { SHOP, world } from './testing.ts';

const GRPC = {
  path: '/s/grpc/SKILL.md',
  name: 'grpc',
  agent: 'codex',
  tags: ['grpc'],
  summary: '',
  root: '',
  mtimeMs: 1,
  refreshedAt: START,
};

function known(...skills: Array<Partial<typeof GRPC>>) {
  const w = world();
  const learning = w.learn({ title: 'Regenerate the grpc clients' });
  for (const skill of [GRPC, ...skills]) putSkill(w.db, { ...GRPC, ...skill });
  const stale = (knobs = {}) =>
    staleSkills(w.store, null, withKnobs(knobs)).map(
      ({ skill, why, learnings }) => `${skill.name} ${why} ${learnings.length}`,
    );
  const change = (rule: string) => changeLearning(w.store, learning.id, { rule }, EDITED);
  return { ...w, learning, stale, change };
}

test('R14: a learning that changed after the last refresh flags the skill it backs, and no other', () => {
  const { stale, change, store } = known({ path: '/s/css/SKILL.md', name: 'css', tags: ['css'] });
  expect(stale()).toEqual([]);
  store.tick(1);
  change('Run make proto-gen.');
  expect(stale()).toEqual(['grpc outdated 1']);
  expect(stale({ [skillStaleness.switch.name]: false })).toEqual([]);
});

test('R14: the flag follows the facts in both directions', () => {
  const { stale, change, store, db, learn } = known();
  store.tick(1);
  change('Run make proto-gen.');
  expect(stale()).toEqual(['grpc outdated 1']);
  putSkill(db, { ...GRPC, mtimeMs: 2, refreshedAt: store.now() });
  expect(stale()).toEqual([]);
  store.tick(1);
  learn({ title: 'Never edit generated grpc clients' });
  expect(stale()).toEqual(['grpc outdated 1']);
});

test('R14: a change outside its scope flags nothing', () => {
  const { stale, store, db, learn } = known({ path: '/shop/SKILL.md', name: 'shop-grpc', root: '/shop' });
  rememberProject(db, { id: SHOP, name: 'shop', root: '/shop' }, START);
  store.tick(1);
  learn({ title: 'Rotate the signing keys' });
  expect(stale()).toEqual([]);
  learn({ title: 'Pin the grpc version', project: 'github.com/acme/other' });
  expect(stale()).toEqual(['grpc outdated 1']); // of the home, about all projects
  learn({ title: 'Only proposed for grpc', status: 'proposed' });
  learn({ title: 'Cap grpc messages', project: SHOP });
  expect(stale()).toEqual(['grpc outdated 2', 'shop-grpc outdated 1']);
});

test('R14: only recent learnings count, and REFLECT_STALENESS_DAYS says how recent', () => {
  const { stale, change, store } = known();
  store.tick(1);
  change('Run make proto-gen.');
  store.tick(29 * DAY);
  expect(stale()).toEqual(['grpc outdated 1']);
  store.tick(2 * DAY);
  expect(stale()).toEqual([]);
  expect(stale({ REFLECT_STALENESS_DAYS: 60 })).toEqual(['grpc outdated 1']);
});
