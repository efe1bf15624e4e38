import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { ObservationAction } from '#contract/distill.ts';
import { rememberProject } from '../store/learnings/learnings.ts';
import { START, tempFolder } from '../testing/temp-home.ts';
import {
  conventionsDocument,
  conventionsPath,
  getConventions,
  linkConventions,
  refreshConventions,
  renderConventions,
  unlinkConventions,
} from './conventions.ts';
import { reviseObservations } from './observation-actions.ts';
import { SHOP, world } from './testing.ts';

const OTHER = 'github.com/acme/other';

function documents(knobs: Parameters<typeof world>[0] = {}) {
  const w = world(knobs);
  const parts = { store: w.store, folder: w.conventions };
  const act = async (...actions: ObservationAction[]) => {
    const { createdIds } = reviseObservations(w.store, actions, 'test', w.resolve);
    return { ...(await w.distiller.run()), createdIds };
  };
  const observed = (content: string, project = SHOP, category = 'testing'): ObservationAction => ({
    action: 'CREATE',
    content,
    project,
    category,
    ids: [],
    learnings: [],
    reason: '',
  });
  const text = (project = SHOP) => getConventions(parts, project).text;
  return { ...w, parts, act, observed, text };
}

test('O2: a new observation appears in the document of its project, and in no other', async () => {
  const { act, observed, text, conventions } = documents();
  await act(observed('Write a failing test first', OTHER));
  const control = { text: text(OTHER), at: statSync(conventionsPath(conventions, OTHER)).mtimeMs };
  expect(await act(observed('Prefer *fakes*\n to mocks'))).toMatchObject({ conventions: 1 });
  expect(text()).toBe(
    [
      '# Conventions of shop',
      '_Last refreshed 2026-06-15 · 1 convention_',
      'Written by Reflect from repeated corrections; edits here are overwritten.',
      '## testing\n- Prefer *fakes* to mocks _(evidence ×1)_\n',
    ].join('\n\n'),
  );
  expect({ text: text(OTHER), at: statSync(conventionsPath(conventions, OTHER)).mtimeMs }).toEqual(control);
});

test('O2: the next pass writes new evidence and retired conventions; without changes it writes nothing', async () => {
  const { act, observed, text, distiller } = documents();
  const {
    createdIds: [first = ''],
  } = await act(observed('Prefer fakes to mocks'), observed('Keep commits small', SHOP, 'process'));
  expect(text()).toContain('2 conventions');
  await act({ action: 'UPDATE', targetId: first, ids: ['a', 'b'], learnings: [], reason: '' });
  expect(text()).toContain('- Prefer fakes to mocks _(evidence ×3)_');
  await act({ action: 'DELETE', targetId: first, reason: 'no longer' });
  expect(text()).not.toContain('fakes');
  expect(text()).toContain('Keep commits small');
  expect(await distiller.run()).toMatchObject({ conventions: 0 });
  expect(await act({ action: 'DELETE', targetId: first, reason: 'again' })).toMatchObject({ conventions: 0 });
});

test('O2: with the port off the document is not refreshed and counts as stale', async () => {
  const off = documents({ [conventionsDocument.switch.name]: false });
  await off.act(off.observed('Prefer fakes to mocks'));
  expect(getConventions(off.parts, SHOP)).toMatchObject({ stale: true, text: '' });
  expect(refreshConventions(off.parts, SHOP)).toMatchObject({ stale: false, observations: 1 });
  await off.act(off.observed('Keep commits small'));
  expect(getConventions(off.parts, SHOP)).toMatchObject({ stale: true, observations: 1 });
});

test('O2: a global observation is in every document', async () => {
  const { act, observed, text } = documents();
  await act(observed('Prefer fakes to mocks'));
  expect(await act(observed('Answer in English', '', 'process'))).toMatchObject({ conventions: 2 });
  expect([text(), text('')].every((document) => document.includes('Answer in English'))).toBe(true);
  expect(text('')).not.toContain('fakes');
});

test('O2: at most two hundred are listed, by category, the best proven first', async () => {
  const { act, observed, text } = documents();
  await act(...Array.from({ length: 210 }, (_, index) => observed(`Rule number ${index}`)));
  await act({ ...observed('Said most often', SHOP, 'process'), ids: ['a', 'b', 'c'] } as ObservationAction);
  await act({ ...observed('Said twice', SHOP, 'testing'), ids: ['a', 'b'] } as ObservationAction);
  expect(text().match(/^- /gm)).toHaveLength(200);
  expect(text().match(/^(?:## .+|- Said.+)$/gm)).toEqual([
    '## process',
    '- Said most often _(evidence ×3)_',
    '## testing',
    '- Said twice _(evidence ×2)_',
  ]);
  expect(text()).toContain('## testing\n- Said twice');
  expect(renderConventions('x', [], START)).toContain('0 conventions');
});

test('O2: unsafe or clashing project names get distinct files within the folder', () => {
  const paths = ['a/b', 'a-b', '../../etc', '/', 'global', ''].map((project) =>
    conventionsPath('/home', project),
  );
  expect(new Set(paths).size).toBe(paths.length);
  for (const path of paths) expect(path).toMatch(/^\/home\/[^/]+\/CONVENTIONS\.md$/);
});

test('O2: a document that cannot be written is reported, stays stale, and is written later', async () => {
  const { act, observed, conventions, parts, distiller } = documents();
  writeFileSync(conventions, 'in the way');
  expect(await act(observed('Prefer fakes to mocks'))).toMatchObject({ conventions: 0 });
  expect(() => refreshConventions(parts, SHOP)).toThrow(/cannot be written/);
  expect(getConventions(parts, SHOP).stale).toBe(true);
  rmSync(conventions);
  expect(await distiller.run()).toMatchObject({ conventions: 1 });
});

test('O2: the link into a repository is created and removed, and never replaces a file', async () => {
  const { act, observed, parts, db, conventions } = documents();
  const root = tempFolder();
  rememberProject(db, { id: SHOP, name: 'shop', root }, START);
  await act(observed('Prefer fakes to mocks'));
  const link = join(root, 'CONVENTIONS.md');
  expect(linkConventions(parts, SHOP, root)).toMatchObject({ link });
  expect(readFileSync(link, 'utf8')).toContain('Prefer fakes');
  expect(linkConventions(parts, SHOP, root).link).toBe(link);
  expect(getConventions(parts, SHOP).link).toBe(link);
  expect(unlinkConventions(parts, SHOP, root).link).toBe('');
  expect(existsSync(link)).toBe(false);
  expect(existsSync(conventionsPath(conventions, SHOP))).toBe(true);

  writeFileSync(link, 'mine');
  expect(() => linkConventions(parts, SHOP, root)).toThrow(/not made by Reflect/);
  expect(() => unlinkConventions(parts, SHOP, root)).toThrow(/not a link/);
  expect(readFileSync(link, 'utf8')).toBe('mine');
  rmSync(link);
  symlinkSync('/nowhere', link);
  expect(() => linkConventions(parts, SHOP, root)).toThrow(/not made by Reflect/);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});

test('O2: a read-only repository is reported', async ({ skip }) => {
  if (process.getuid?.() === 0) skip('root may write everywhere');
  const { act, observed, parts } = documents();
  await act(observed('Prefer fakes to mocks'));
  const root = join(tempFolder(), 'repo');
  mkdirSync(root);
  chmodSync(root, 0o500);
  expect(() => linkConventions(parts, SHOP, root)).toThrow(/cannot be changed/);
  chmodSync(dirname(root), 0o700);
});
