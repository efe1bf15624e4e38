import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { undo } from '../knowledge/revise.ts';
import { silentLog } from '../platform/log.ts';
import { SkillsIndex } from '../recall/skills/skills-index.ts';
import { changeLearning, proveLearning } from '../store/learnings/write.ts';
import { rememberProject } from '../store/learnings/learnings.ts';
import { skillRefreshes } from '../store/distill/skills.ts';
import { EDITED, START, tempFolder } from '../testing/temp-home.ts';
import { skillRefresh } from './skill-refresh.ts';
import { SHOP, world } from './testing.ts';

function installed(knobs: Parameters<typeof world>[0] = {}) {
  const w = world(knobs);
  const index = new SkillsIndex({ db: w.db, home: w.home, now: w.store.now, log: silentLog });
  w.listen();
  const install = (name: string, tags: string, root = w.home) => {
    const file = join(root, '.claude', 'skills', name, 'SKILL.md');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `---\nname: ${name}\ndescription: About ${name}\ntags: [${tags}]\n---\n`);
    index.refresh(root === w.home ? [] : [root]);
    return file;
  };
  const stale = () =>
    index
      .list(null)
      .filter((skill) => skill.stale)
      .map(({ name }) => name);
  const found = (query: string) => index.find(query, null, 10).map(({ skill }) => skill.name);
  const learning = w.learn({ title: 'Regenerate the grpc clients after a proto edit', category: 'tools' });
  const change = (rule: string) => changeLearning(w.store, learning.id, { rule }, EDITED);
  return { ...w, index, install, stale, found, learning, change };
}

test('R13: a changed learning marks the skill whose tag is its category, or whose tag is in its title, and no other', () => {
  const { install, stale, change } = installed();
  install('by-category', 'Tools');
  install('by-title', 'grpc clients');
  install('control', 'grpc servers, testing');
  install('untagged', '');
  expect(stale()).toEqual([]);
  change('Run make proto-gen.');
  expect(stale()).toEqual(['by-category', 'by-title']);
});

test('R13: with the port off no skill is marked', () => {
  const { install, stale, change, db } = installed({ [skillRefresh.switch.name]: false });
  install('by-category', 'tools');
  change('Run make proto-gen.');
  expect([stale(), skillRefreshes(db)]).toEqual([[], []]);
});

test('R13: a stale skill is no longer found, the control still is', () => {
  const { install, found, change } = installed();
  install('grpc-stubs', 'grpc');
  install('grpc-servers', 'servers');
  expect(found('grpc')).toEqual(['grpc-servers', 'grpc-stubs']);
  change('Run make proto-gen.');
  expect(found('grpc')).toEqual(['grpc-servers']);
});

test('R13: archiving a learning marks the skill too, and only a change of its file clears the mark', () => {
  const { install, stale, index, store, db, learning } = installed();
  const file = install('by-category', 'tools');
  const { changeId } = changeLearning(
    store,
    learning.id,
    { status: 'reverted' },
    { ...EDITED, kind: 'revert' },
  );
  index.refresh([]);
  expect(stale()).toEqual(['by-category']);
  undo(store, changeId, 'person');
  expect(stale()).toEqual(['by-category']);
  utimesSync(file, 2_000_000_000, 2_000_000_000);
  index.refresh([]);
  expect([stale(), skillRefreshes(db)]).toEqual([[], []]);
});

test('R13: each skill has at most one queued refresh, which names the learning', () => {
  const { install, change, db, learning } = installed();
  const files = [install('a', 'tools'), install('b', 'tools')];
  for (const rule of ['one', 'two', 'three']) change(rule);
  expect(skillRefreshes(db).map(({ path, learningId }) => [path, learningId])).toEqual(
    files.map((path) => [path, learning.id]),
  );
});

test('R13: new, proven again and proposed learnings mark nothing', () => {
  const { install, stale, learn, store, learning } = installed();
  install('by-category', 'tools');
  learn({ title: 'Another of the tools', category: 'tools' });
  proveLearning(store, learning.id, { actor: 'test', kind: 'prove', reason: 'again' });
  const proposed = learn({ title: 'Maybe', category: 'tools', status: 'proposed' });
  changeLearning(store, proposed.id, { rule: 'Perhaps.' }, EDITED);
  expect(stale()).toEqual([]);
});

test('R13: a skill of this project is marked, one of another project is not, and a global learning marks both', () => {
  const { install, stale, change, db, learn, store } = installed();
  const [shop, other] = [tempFolder(), tempFolder()];
  rememberProject(db, { id: SHOP, name: 'shop', root: shop }, START);
  install('here', 'tools', shop);
  install('elsewhere', 'tools', other);
  change('Run make proto-gen.');
  expect(stale()).toEqual(['here']);
  const everywhere = learn({ title: 'True everywhere', category: 'tools', scope: 'global' });
  changeLearning(store, everywhere.id, { rule: 'Yes.' }, EDITED);
  expect(stale().toSorted()).toEqual(['elsewhere', 'here']);
});
