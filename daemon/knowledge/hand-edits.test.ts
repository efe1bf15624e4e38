import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { historyOf } from '../store/learnings/history.ts';
import { documentOf, listStrays } from '../store/learnings/documents.ts';
import { redactionCounts } from '../store/meta.ts';
import { changeLearning } from '../store/learnings/write.ts';
import { listLearnings } from '../store/learnings/list.ts';
import { countDocumentProblems, findLearning, getLearning } from '../store/learnings/learnings.ts';
import { searchByWords } from '../store/search/words.ts';
import { EDITED, type TempStore, tempStore } from '../testing/temp-home.ts';
import { rescan } from './testing.ts';
import { undo } from './revise.ts';
import { NOTE, world } from './testing.ts';

function put(store: TempStore, path: string, content: string): string {
  const file = join(store.documents, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

describe('a file edited by hand', () => {
  test('changes the note, its index and its history, and stays as the person wrote it', async () => {
    const { store, id, edit, read } = world();
    edit('rule: Never jest.', '# my own comment\nrule: "Never jest, never mocha."');
    const written = read();
    expect(await rescan(store)).toBe(1);
    expect(getLearning(store.db, id).rule).toBe('Never jest, never mocha.');
    expect(searchByWords(store.db, 'mocha', null, 5)).toHaveLength(1);
    expect(historyOf(store.db, id)[0]).toMatchObject({ actor: 'hand', kind: 'update', fields: ['rule'] });
    expect(read()).toBe(written);
    expect(await rescan(store)).toBe(0);
  });

  test('loses the secrets that were written into it, and its history says which', async () => {
    const { store, id, edit, read } = world();
    const token = `ghp_${'aB3dE5gH7'.repeat(4)}`;
    edit('Never jest.', `Never jest. Sign in with ${token}.`);
    expect(await rescan(store)).toBe(1);
    expect(getLearning(store.db, id).rule).toContain('[redacted github token]');
    expect(read()).not.toContain(token);
    expect(historyOf(store.db, id)[0]?.reason).toBe('the file was edited; removed: github token');
    expect(redactionCounts(store.db)).toEqual({ 'github token': 1 });
    // The file alone is not a change of the note, and still does not keep a secret.
    edit('Sign in with', `Sign in with ${token} or`);
    changeLearning(store, id, { tags: ['auth'] }, EDITED);
    expect(read()).not.toContain(token);
    expect(await rescan(store)).toBe(0);
  });

  test('with the same content in another layout is not an edit', async () => {
    const { store, id, edit, read } = world();
    edit('tags: []', 'tags:   []   # none yet');
    const written = read();
    expect(await rescan(store)).toBe(0);
    expect(historyOf(store.db, id)).toHaveLength(1);
    expect(read()).toBe(written);
  });

  test('can be undone like any change, and the file follows', async () => {
    const { store, id, edit, read } = world();
    edit('Never jest.', 'Always jest.');
    await rescan(store);
    undo(store, undefined, 'person');
    expect(getLearning(store.db, id).rule).toBe('Never jest.');
    expect(read()).toContain('rule: Never jest.');
  });

  test('moves when the edit names another project', async () => {
    const { store, id, edit, file } = world();
    edit('project: github.com/acme/shop', 'project: github.com/acme/billing');
    await rescan(store);
    expect(existsSync(file)).toBe(false);
    expect(readFileSync(join(store.documents, 'github.com-acme-billing', `${id}.md`), 'utf8')).toContain(
      'Never jest.',
    );
    expect(await rescan(store)).toBe(0);
  });

  test('may not take another id', async () => {
    const { store, id, edit } = world();
    edit(`id: ${id}`, 'id: another-id');
    await rescan(store);
    expect(getLearning(store.db, id).documentProblem).toMatch(/id: .*cannot become another-id/);
  });
});

describe('a broken file', () => {
  test('is flagged with the reason and kept as it is, while the last good version stays in recall', async () => {
    const { store, id, edit, read } = world();
    edit('title: Run', 'titel: Run');
    const broken = read();
    expect(await rescan(store)).toBe(1);
    expect(await rescan(store)).toBe(0);
    expect(getLearning(store.db, id)).toMatchObject({
      title: NOTE.title,
      documentProblem: expect.stringMatching(/titel/) as string,
    });
    expect(searchByWords(store.db, 'vitest', null, 5)).toHaveLength(1);
    expect(countDocumentProblems(store.db)).toBe(1);
    expect(read()).toBe(broken);
  });

  test('that is fixed is ingested, and its flag is cleared', async () => {
    const { store, id, edit } = world();
    edit('title: Run', 'titel: Run');
    await rescan(store);
    edit('titel: Run', 'title: Always run');
    await rescan(store);
    expect(getLearning(store.db, id)).toMatchObject({
      title: 'Always run the tests with vitest',
      documentProblem: null,
    });
    expect(countDocumentProblems(store.db)).toBe(0);
  });

  test('that is restored loses its flag without a change', async () => {
    const { store, id, edit } = world();
    edit('title: Run', 'titel: Run');
    await rescan(store);
    edit('titel: Run', 'title: Run');
    await rescan(store);
    expect(getLearning(store.db, id).documentProblem).toBeNull();
    expect(historyOf(store.db, id)).toHaveLength(1);
  });

  test('that is new counts as a problem until it is fixed or deleted', async () => {
    const { store } = world();
    const file = put(store, 'global/new.md', 'no front matter');
    await rescan(store);
    expect(listStrays(store.db)).toEqual([
      { path: 'global/new.md', problem: expect.stringMatching(/front matter/) as string },
    ]);
    expect(countDocumentProblems(store.db)).toBe(1);
    writeFileSync(file, '---\ntitle: Mended\n---\n');
    await rescan(store);
    expect(countDocumentProblems(store.db)).toBe(0);
    expect(getLearning(store.db, 'new').title).toBe('Mended');
    put(store, 'global/other.md', 'no front matter');
    await rescan(store);
    rmSync(join(store.documents, 'global/other.md'));
    await rescan(store);
    expect(countDocumentProblems(store.db)).toBe(0);
  });
});

describe('a file added by hand', () => {
  test('with an id becomes a note with its dates', async () => {
    const store = tempStore();
    put(
      store,
      'global/my-note.md',
      '---\nid: my-note\ncreated: 2024-01-02\nupdated: 2024-02-03\ntitle: Use tabs\n---\nText',
    );
    expect(await rescan(store)).toBe(1);
    expect(getLearning(store.db, 'my-note')).toMatchObject({
      title: 'Use tabs',
      body: 'Text',
      createdAt: Date.UTC(2024, 0, 2),
      updatedAt: Date.UTC(2024, 1, 3),
    });
    expect(existsSync(join(store.documents, 'global/my-note.entities.yaml'))).toBe(true);
    expect(await rescan(store)).toBe(0);
  });

  test('without an id is named after its file, and missing fields are filled in', async () => {
    const { store } = world();
    const file = put(store, 'github.com-acme-shop/Tabs, not Spaces.md', '---\ntitle: Use tabs\n---\nText');
    await rescan(store);
    expect(getLearning(store.db, 'tabs-not-spaces')).toMatchObject({
      title: 'Use tabs',
      project: 'github.com/acme/shop',
    });
    expect(existsSync(file)).toBe(false);
    expect(readFileSync(join(store.documents, 'github.com-acme-shop/tabs-not-spaces.md'), 'utf8')).toMatch(
      /id: tabs-not-spaces[\s\S]*project: github.com\/acme\/shop/,
    );
    expect(await rescan(store)).toBe(0);
    expect(listLearnings(store.db, { offset: 0, limit: 10 }).total).toBe(2);
  });

  test.each(['日本語.md', '-.md', 'A.md'])('with the name %s still gets an id', async (name) => {
    const store = tempStore();
    put(store, `global/${name}`, '---\ntitle: Named oddly\n---\n');
    await rescan(store);
    expect(listLearnings(store.db, { offset: 0, limit: 10 }).items.map(({ title }) => title)).toEqual([
      'Named oddly',
    ]);
    expect(await rescan(store)).toBe(0);
  });

  test('with the id of another is refused, and both files stay', async () => {
    const { store, id, file, read } = world();
    const copy = put(store, 'global/copy.md', read().replace('Never jest.', 'Never ava.'));
    await rescan(store);
    expect(listStrays(store.db)).toEqual([
      { path: 'global/copy.md', problem: expect.stringContaining(`${id} is already used by`) as string },
    ]);
    expect(getLearning(store.db, id).rule).toBe('Never jest.');
    expect([existsSync(file), existsSync(copy)]).toEqual([true, true]);
    expect(await rescan(store)).toBe(0);
    expect(countDocumentProblems(store.db)).toBe(1);
  });

  test('cannot write outside the folder of notes', async () => {
    const store = tempStore();
    put(store, 'global/evil.md', '---\nid: ../../../evil\ntitle: x\n---\n');
    put(store, 'global/worse.md', '---\nid: fine-id\ntitle: x\nproject: ../../..\nbranch: ../../x\n---\n');
    await rescan(store);
    expect(listStrays(store.db)).toHaveLength(1);
    expect(documentOf(store.db, 'fine-id')?.path.split('/')).not.toContain('..');
    expect(existsSync(join(store.documents, '..', 'evil.md'))).toBe(false);
  });
});

describe('a file deleted or renamed by hand', () => {
  test('is forgotten: out of recall, its last version kept, and it can be undone', async () => {
    const { store, id, file, path } = world();
    rmSync(file);
    expect(await rescan(store)).toBe(1);
    expect(getLearning(store.db, id).status).toBe('forgotten');
    expect(searchByWords(store.db, 'vitest', null, 5)).toEqual([]);
    expect(existsSync(join(store.documents, '.forgotten', path))).toBe(true);
    expect(await rescan(store)).toBe(0);
    undo(store, undefined, 'person');
    expect(getLearning(store.db, id).status).toBe('active');
    expect(existsSync(file)).toBe(true);
    expect(existsSync(join(store.documents, '.forgotten', path))).toBe(false);
  });

  test('put back by hand is a note again', async () => {
    const { store, id, file, read } = world();
    const content = read();
    rmSync(file);
    await rescan(store);
    writeFileSync(file, content);
    await rescan(store);
    expect(getLearning(store.db, id)).toMatchObject({
      status: 'active',
      entities: NOTE.entities.map((entity) => ({ ...entity, description: '' })),
    });
  });

  test('and renamed keeps its note and history, and gets its name back', async () => {
    const { store, id, file, sidecar } = world();
    renameSync(file, join(dirname(file), 'my name.md'));
    renameSync(sidecar, join(dirname(file), 'my name.entities.yaml'));
    await rescan(store);
    expect(getLearning(store.db, id)).toMatchObject({ status: 'active', rule: 'Never jest.' });
    expect(historyOf(store.db, id)).toHaveLength(1);
    expect([existsSync(file), existsSync(sidecar), existsSync(join(dirname(file), 'my name.md'))]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await rescan(store)).toBe(0);
  });

  test('with the whole folder counts as an accident: the files come back', async () => {
    const { store, id, file, read } = world();
    const content = read();
    rmSync(store.documents, { recursive: true });
    await rescan(store);
    expect(getLearning(store.db, id).status).toBe('active');
    expect(existsSync(file) && read()).toBe(content);
  });
});

describe('the entities file', () => {
  test('that is gone comes back, and the entities stay', async () => {
    const { store, id, sidecar } = world();
    rmSync(sidecar);
    await rescan(store);
    expect(readFileSync(sidecar, 'utf8')).toContain('vitest');
    expect(getLearning(store.db, id).entities).toHaveLength(1);
    expect(historyOf(store.db, id)).toHaveLength(1);
    expect(await rescan(store)).toBe(0);
  });

  test('that is gone while the note was edited keeps the entities too', async () => {
    const { store, id, sidecar, edit } = world();
    rmSync(sidecar);
    edit('Never jest.', 'Never ava.');
    await rescan(store);
    expect(getLearning(store.db, id)).toMatchObject({ rule: 'Never ava.', entities: [{ name: 'vitest' }] });
  });

  test('that is broken flags the note; edited, it changes the entities', async () => {
    const { store, id, sidecar } = world();
    const good = readFileSync(sidecar, 'utf8');
    writeFileSync(sidecar, good.replace('type: tool', 'type: friend'));
    await rescan(store);
    expect(getLearning(store.db, id).documentProblem).toMatch(/entities\.0\.type/);
    writeFileSync(sidecar, good.replace('name: vitest', 'name: pnpm'));
    await rescan(store);
    expect(getLearning(store.db, id)).toMatchObject({ documentProblem: null, entities: [{ name: 'pnpm' }] });
  });
});

test('a file replaced by one of the same size and date is still noticed', async () => {
  const { store, id, file, read } = world();
  expect([await rescan(store), await rescan(store)]).toEqual([0, 0]);
  const { atime, mtime } = statSync(file);
  writeFileSync(`${file}.new`, read().replace('Never jest.', 'Never java'));
  utimesSync(`${file}.new`, atime, mtime);
  renameSync(`${file}.new`, file);
  expect(await rescan(store)).toBe(1);
  expect(getLearning(store.db, id).rule).toBe('Never java');
});

test('writes of the store are never mistaken for edits', async () => {
  const { store, id } = world();
  changeLearning(store, id, { project: 'github.com/acme/billing' }, EDITED);
  changeLearning(store, id, { branch: 'feature/x', body: 'a\r\nb \n' }, EDITED);
  changeLearning(store, id, { status: 'archived' }, EDITED);
  expect(await rescan(store)).toBe(0);
  expect(historyOf(store.db, id)).toHaveLength(4);
});

test('only the owner can read what is written', () => {
  const { store, file, sidecar } = world();
  for (const written of [file, sidecar, store.paths.database])
    expect(statSync(written).mode & 0o777).toBe(0o600);
  for (const folder of [store.documents, dirname(file)]) expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(findLearning(store.db, 'nobody')).toBeNull();
});
