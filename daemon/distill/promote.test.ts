import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '../platform/log.ts';
import { SkillsIndex } from '../recall/skills/skills-index.ts';
import { changeLearning } from '../store/learnings/write.ts';
import { EDITED, tempFolder } from '../testing/temp-home.ts';
import { demote, previewSkill, promote, type Promotion } from './promote.ts';
import { world } from './testing.ts';

const NOTE = {
  title: 'Regenerate the clients: after a proto edit',
  rule: 'Run make proto-gen after every edit.',
  problem: 'Stale clients fail at run time.',
  rootCause: 'They are generated.',
  fix: 'make proto-gen && git add gen',
  tags: ['grpc'],
  body: 'Said in review.',
};

function promoted() {
  const w = world();
  const learning = w.learn(NOTE);
  const promotion: Promotion = { id: learning.id, agent: 'claude-code', root: null };
  const parts = { store: w.store, home: w.home };
  const path = join(w.home, '.claude', 'skills', 'regenerate-the-clients-after-a-proto-edit', 'SKILL.md');
  return { ...w, learning, promotion, parts, path };
}

test('a long title is cut to a name that ends with a word of meaning', () => {
  const w = world();
  const { id } = w.learn({
    ...NOTE,
    title: 'Send payouts through /v1/payouts until the bank cut-over is finished by all',
  });
  const { name } = previewSkill({ store: w.store, home: w.home }, { id, agent: 'claude-code', root: null });
  expect(name).toBe('send-payouts-through-v1-payouts-until-the-bank-cut');
});

test('a preview shows what would be written and where, and writes nothing', () => {
  const { parts, promotion, path, learning } = promoted();
  expect(previewSkill(parts, promotion)).toEqual({
    name: 'regenerate-the-clients-after-a-proto-edit',
    path,
    place: 'free',
    markdown: `---
name: regenerate-the-clients-after-a-proto-edit
description: "Regenerate the clients: after a proto edit. Run make proto-gen after every edit."
tags:
  - grpc
---

# Regenerate the clients: after a proto edit

Run make proto-gen after every edit.

## Why

Stale clients fail at run time.

They are generated.

## How

make proto-gen && git add gen

## Background

Said in review.

<!-- Written by Reflect from ${learning.id}. -->
`,
  });
  expect(existsSync(path)).toBe(false);
});

test('a promoted learning is a skill that its agent and recall find; demoting it leaves nothing behind', () => {
  const { parts, promotion, path, db, home } = promoted();
  expect(promote(parts, promotion)).toMatchObject({ path, place: 'ours' });
  const index = new SkillsIndex({ db, home, now: () => 1, log: silentLog });
  index.refresh([]);
  expect(index.find('proto clients', null, 5).map(({ skill }) => skill.path)).toEqual([path]);
  demote(parts, path);
  expect(existsSync(dirname(path))).toBe(false);
  expect(() => demote(parts, path)).toThrow(/No skill by Reflect/);
});

test('a skill goes into the project or the home folder of the chosen agent, under the chosen name', () => {
  const { parts, promotion } = promoted();
  const root = tempFolder();
  const place = (more: Partial<Promotion>) =>
    previewSkill(parts, { ...promotion, name: 'protos', ...more }).path;
  expect([place({ root }), place({ agent: 'codex' }), place({ agent: 'copilot-cli', root })]).toEqual([
    join(root, '.claude/skills/protos/SKILL.md'),
    join(parts.home, '.codex/skills/protos/SKILL.md'),
    join(root, '.github/skills/protos/SKILL.md'),
  ]);
  expect(previewSkill({ ...parts, claudeFolder: root }, { ...promotion, name: 'protos' }).path).toBe(
    join(root, 'skills/protos/SKILL.md'),
  );
});

test('promoting again writes the current learning', () => {
  const { parts, promotion, path, store, learning } = promoted();
  promote(parts, promotion);
  changeLearning(store, learning.id, { rule: 'Run make protos.' }, EDITED);
  promote(parts, promotion);
  expect(readFileSync(path, 'utf8')).toContain('Run make protos.');
});

test("somebody else's file, a link, and a skill that was edited since are left as they are", () => {
  const { parts, promotion, path } = promoted();
  promote(parts, promotion);
  writeFileSync(path, `${readFileSync(path, 'utf8')}\nMine.`);
  expect(() => promote(parts, promotion)).toThrow(/not written by Reflect/);
  expect(() => demote(parts, path)).toThrow(/edited since/);
  expect(readFileSync(path, 'utf8')).toContain('Mine.');

  const other = join(parts.home, '.claude', 'skills', 'other', 'SKILL.md');
  mkdirSync(dirname(other));
  symlinkSync('/nowhere', other);
  expect(() => promote(parts, { ...promotion, name: 'other' })).toThrow(/not written by Reflect/);
});

test('unknown ids and agents, unsafe names, retired learnings and read-only folders are refused', () => {
  const { parts, promotion, store, learning, home } = promoted();
  expect(() => promote(parts, { ...promotion, id: 'lrn-none' })).toThrow(/lrn-none/);
  expect(() => promote(parts, { ...promotion, agent: 'emacs' })).toThrow(
    /emacs does not support skills; these do: claude-code, codex/,
  );
  for (const name of ['../evil', 'a/b', '', 'Upper', '.hidden', 'a--b', 'x'.repeat(65)])
    expect(() => promote(parts, { ...promotion, name }), name).toThrow(/lower-case letters/);
  writeFileSync(join(home, '.codex'), 'in the way');
  expect(() => promote(parts, { ...promotion, agent: 'codex' })).toThrow(/cannot be changed/);
  changeLearning(store, learning.id, { status: 'archived' }, EDITED);
  expect(() => promote(parts, promotion)).toThrow(/is archived/);
});

test('a title without letters, or a very long one, still makes a skill name', () => {
  const { parts, promotion, learn } = promoted();
  expect(previewSkill(parts, { ...promotion, id: learn({ title: '…!?' }).id }).name).toBe('learning');
  const { name } = previewSkill(parts, { ...promotion, id: learn({ title: 'word '.repeat(60).trim() }).id });
  expect(name).toMatch(/^(?:word-)+word$/);
  expect(name.length).toBeLessThanOrEqual(64);
});

test('a skill that Reflect wrote is rewritten when its learning changes, unless a person edited it', async () => {
  const { parts, promotion, path, db, home, store, learning, distiller, listen, events } = promoted();
  listen();
  const index = new SkillsIndex({ db, home, now: store.now, log: silentLog });
  promote(parts, promotion);
  index.refresh([]);
  changeLearning(
    store,
    learning.id,
    { rule: 'Run make protos in grpc.', title: 'Regenerate grpc clients' },
    EDITED,
  );
  expect(index.list(null)).toMatchObject([{ stale: true }]);
  expect(await distiller.run()).toMatchObject({ skills: 1 });
  expect(events).toEqual([{ event: 'skill.refreshed', payload: { path } }]);
  expect(readFileSync(path, 'utf8')).toContain('Run make protos in grpc.');

  index.refresh([]);
  writeFileSync(path, 'Mine.\n');
  changeLearning(store, learning.id, { rule: 'Otherwise, with grpc.' }, EDITED);
  expect(await distiller.run()).toMatchObject({ skills: 0 });
  expect(readFileSync(path, 'utf8')).toBe('Mine.\n');
});
