import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { answerMerge } from '../knowledge/merges.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { openQuestions } from '../store/learnings/questions.ts';
import { changeLearning } from '../store/learnings/write.ts';
import { EDITED, given, tempFolder, tempStore } from '../testing/temp-home.ts';
import { GitFolder } from './git-sync.ts';

vi.setConfig({ testTimeout: 120_000 }); // many processes of git, on a machine under load

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', args, { cwd, encoding: 'utf8', stdio: 'pipe' });

/** A person with a clone of the shared repository and a knowledge base of their own. */
function person(name: string, remote: string) {
  const parent = tempFolder();
  git(parent, 'clone', '--quiet', remote, 'notes-repo');
  const root = join(parent, 'notes-repo');
  git(root, 'config', 'user.name', name);
  git(root, 'config', 'user.email', `${name}@example.test`);
  const store = tempStore();
  const folder = new GitFolder({ store, signal: new AbortController().signal }, root);
  const idOf = (title: string) =>
    store.db
      .prepare<[string], string>(`SELECT id FROM learning WHERE title = ? AND live = 1`)
      .pluck()
      .get(title) ?? '';
  const titles = () =>
    store.db.prepare<[], string>('SELECT title FROM learning WHERE live = 1 ORDER BY 1').pluck().all();
  return { root, store, folder, idOf, titles };
}

function repository(): string {
  const parent = tempFolder();
  git(parent, 'init', '--quiet', '--bare', '--initial-branch=main', 'shared.git');
  return join(parent, 'shared.git');
}

test('notes travel through an ordinary remote, and both sides of a conflict are kept and asked about', async () => {
  const remote = repository();
  const [ana, bo] = [person('Ana', remote), person('Bo', remote)];
  const { learning } = given(ana.store, {
    title: 'Use pnpm here',
    rule: 'pnpm install',
    project: 'shop',
    provenance: { quote: 'secret words' },
  });
  given(ana.store, { title: 'Not exported', project: 'other' });
  expect(await ana.folder.export([learning.id])).toMatchObject({ written: 1, stayed: 0 });
  expect(await ana.folder.sync()).toMatchObject({ pushed: true, written: 1, received: 0 });
  expect(await bo.folder.sync()).toMatchObject({ received: 1, questions: 0 });
  expect(bo.titles()).toEqual(['Use pnpm here']);
  const copy = bo.idOf('Use pnpm here');
  expect(getLearning(bo.store.db, copy).metadata).toEqual({ colleague: 'git-notes-repo/Ana' });
  const [file = ''] = readdirSync(join(ana.root, 'notes', 'shop'));
  const text = readFileSync(join(ana.root, 'notes', 'shop', file), 'utf8');
  expect(text).toContain('rule: pnpm install');
  expect(text).not.toContain('secret words');
  expect(await bo.folder.sync()).toMatchObject({ received: 0, written: 0 }); // nothing new
  // Different fields merge by themselves.
  changeLearning(ana.store, learning.id, { rule: 'pnpm install, said Ana' }, EDITED);
  await ana.folder.sync();
  changeLearning(bo.store, copy, { title: 'Use pnpm here, always' }, EDITED);
  expect(await bo.folder.sync()).toMatchObject({ questions: 0 });
  await ana.folder.sync();
  const together = { title: 'Use pnpm here, always', rule: 'pnpm install, said Ana' };
  expect(getLearning(ana.store.db, learning.id)).toMatchObject(together);
  expect(getLearning(bo.store.db, copy)).toMatchObject(together);

  changeLearning(ana.store, learning.id, { rule: 'Ana’s second' }, EDITED);
  changeLearning(bo.store, copy, { rule: 'Bo’s second' }, EDITED);
  await ana.folder.sync();
  expect(await bo.folder.sync()).toMatchObject({ questions: 1 });
  const [question] = openQuestions(bo.store.db);
  expect(question).toMatchObject({ existing: { rule: 'Bo’s second' }, incoming: { rule: 'Ana’s second' } });
  expect(await bo.folder.sync()).toMatchObject({ questions: 0, written: 0 }); // asked once, sent when decided
  await ana.folder.sync();
  expect(getLearning(ana.store.db, learning.id).rule).toBe('Ana’s second');
  answerMerge(bo.store, question?.id ?? 0, 'merge', { rule: 'both' }, 'person');
  await bo.folder.sync();
  await ana.folder.sync();
  expect([getLearning(ana.store.db, learning.id).rule, getLearning(bo.store.db, copy).rule]).toEqual([
    'both',
    'both',
  ]);

  changeLearning(ana.store, learning.id, { status: 'archived' }, EDITED);
  await ana.folder.sync();
  await bo.folder.sync();
  expect(bo.titles()).toEqual([]);
});

test('a push that comes second is merged and tried again; a broken file and a folder without git say so', async () => {
  const remote = repository();
  const [ana, bo] = [person('Ana', remote), person('Bo', remote)];
  expect(await bo.folder.sync(), 'of a remote without a commit').toMatchObject({ written: 0, received: 0 });
  await ana.folder.export([given(ana.store, { title: 'Lint with eslint', project: 'shop' }).learning.id]);
  await bo.folder.export([given(bo.store, { title: 'Bundle with rolldown', project: 'shop' }).learning.id]);
  await ana.folder.sync();
  await bo.folder.sync(); // two histories without a common commit
  await ana.folder.sync();
  expect([ana.titles(), bo.titles()]).toEqual(Array(2).fill(['Bundle with rolldown', 'Lint with eslint']));
  writeFileSync(join(ana.root, 'notes', 'shop', 'broken.md'), 'no front matter');
  const refused = [{ file: 'notes/shop/broken.md', why: expect.stringMatching('no text') as string }];
  expect(await ana.folder.sync()).toMatchObject({ written: 1, refused });
  expect(await bo.folder.sync()).toMatchObject({ received: 1, refused });
  expect(bo.titles()).toHaveLength(2);
  const bare = new GitFolder({ store: ana.store, signal: new AbortController().signal }, tempFolder());
  await expect(bare.sync()).rejects.toThrow('is not a git repository');
  const at = (root: string) =>
    new GitFolder({ store: ana.store, signal: new AbortController().signal }, root);
  expect(() => at('notes')).toThrow('“notes” is not an absolute path.');
  await expect(at(join(ana.root, 'notes')).sync()).rejects.toThrow('is inside the repository');
  await expect(at(join(ana.root, 'below')).export([])).rejects.toThrow('Choose a folder of its own.');
});
