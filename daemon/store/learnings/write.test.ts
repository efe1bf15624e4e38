import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Note } from '#contract/entities.ts';
import { EDITED, given, recordCommits, tempStore } from '../../testing/temp-home.ts';
import { documentPath } from './document-path.ts';
import { documentOf } from './documents.ts';
import { flushOutbox, flushOutboxAside } from './outbox.ts';
import { asOneUnit, changeLearning } from './write.ts';
import { countDocumentProblems, getLearning } from './learnings.ts';

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();

describe('the files of a note', () => {
  test('follow it when it moves twice in one unit, and leave nothing behind', () => {
    const store = tempStore();
    const { id } = given(store, { title: 'Use vitest', project: 'one' }).learning;
    asOneUnit(store, () => {
      changeLearning(store, id, { project: 'two' }, EDITED);
      changeLearning(store, id, { project: 'three', rule: 'Never jest.' }, EDITED);
    });
    expect(filesBelow(store.documents)).toEqual([`${id}.entities.yaml`, `${id}.md`]);
    expect(readFileSync(join(store.documents, 'three', `${id}.md`), 'utf8')).toContain('Never jest.');
  });

  test('that cannot be written are flagged, do not block others and are written later', () => {
    const store = tempStore();
    const { id } = given(store, { title: 'Use vitest', project: 'one' }).learning;
    mkdirSync(join(store.documents, 'two', `${id}.md`), { recursive: true }); // a folder stands in the way
    changeLearning(store, id, { project: 'two' }, EDITED);
    expect(getLearning(store.db, id)).toMatchObject({
      project: 'two',
      documentProblem: expect.stringMatching(/could not be written/) as string,
    });
    expect(countDocumentProblems(store.db)).toBe(1);
    const other = given(store, { title: 'Another', project: 'one' }).learning;
    expect(existsSync(join(store.documents, documentOf(store.db, other.id)?.path ?? ''))).toBe(true);
    expect(existsSync(join(store.documents, 'one', `${id}.md`))).toBe(true);
    rmSync(join(store.documents, 'two'), { recursive: true });
    flushOutbox(store.db, store.documents);
    expect(readFileSync(join(store.documents, 'two', `${id}.md`), 'utf8')).toContain('project: two');
    expect(existsSync(join(store.documents, 'one', `${id}.md`))).toBe(false);
    expect(countDocumentProblems(store.db)).toBe(0);
  });

  test('are written aside without an older text ever replacing a newer one, and those that cannot be are flagged', async () => {
    const store = tempStore();
    const { db, documents } = store;
    const add = (title: string) =>
      db.transaction(() => given(store, { title, project: 'one' }).learning.id)();
    const [id, edited, blocked] = [add('Use vitest'), add('Edited meanwhile'), add('In the way')];
    const file = (of: string) => join(documents, 'one', `${of}.md`);
    mkdirSync(file(blocked), { recursive: true });
    const writing = flushOutboxAside(db, documents);
    changeLearning(store, edited, { rule: 'The newer text.' }, EDITED);
    await writing;
    expect(readFileSync(file(id), 'utf8')).toContain('Use vitest');
    expect(readFileSync(file(edited), 'utf8')).toContain('The newer text.');
    expect(getLearning(db, blocked).documentProblem).toMatch(/could not be written/);
    expect(filesBelow(documents).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    rmSync(file(blocked), { recursive: true });
    await flushOutboxAside(db, documents);
    expect(readFileSync(file(blocked), 'utf8')).toContain('In the way');
    expect(countDocumentProblems(db)).toBe(0);
  });

  test('have a place for every project and branch, however named', () => {
    const place = (
      project: string,
      branch: string | null = null,
      scope: Note['scope'] = 'project',
      status: Note['status'] = 'active',
      metadata: Note['metadata'] = {},
    ) => documentPath('lrn-x', { project, branch, scope, status, metadata });
    expect(place('acme/shop', null, 'project', 'active', { colleague: 'acme/ana' })).toBe(
      'team/acme/acme-shop/lrn-x.md',
    );
    expect(place('acme/shop', null, 'project', 'active', { colleague: '../x/ana' })).toBe(
      'acme-shop/lrn-x.md',
    );
    expect(place('github.com/acme/shop')).toBe('github.com-acme-shop/lrn-x.md');
    expect(place('github.com/acme/shop', 'Feature/Tax #2')).toBe(
      'github.com-acme-shop/branches/feature__tax__-2/lrn-x.md',
    );
    expect(place('', 'main')).toBe('global/lrn-x.md');
    expect(place('acme/shop', null, 'global')).toBe('global/lrn-x.md');
    expect(place('acme/shop', null, 'project', 'forgotten')).toBe('.forgotten/acme-shop/lrn-x.md');
    expect(place('../../..', '../..')).toBe('project/branches/__../lrn-x.md');
    for (const part of place(`/very${'/long'.repeat(99)}`, 'b'.repeat(300)).split('/'))
      expect(part.length).toBeLessThanOrEqual(100);
    expect(place('p'.repeat(400))).not.toBe(place(`${'p'.repeat(399)}q`));
  });

  test('of a project with a name of five hundred characters are written', () => {
    const store = tempStore();
    const { id } = given(store, {
      title: 'Use vitest',
      project: 'p/'.repeat(250),
      branch: 'b'.repeat(300),
    }).learning;
    expect(getLearning(store.db, id).documentProblem).toBeNull();
    expect(filesBelow(store.documents)).toContain(`${id}.md`);
  });
});

test('a note is stored in the form its file can hold', () => {
  const store = tempStore();
  const { learning } = given(store, { title: `Cut 🧠`.slice(0, -1), body: 'a\r\nb  \n' });
  expect(learning).toMatchObject({ title: 'Cut \ufffd', body: 'a\nb' });
});

test('every change is announced once, with the changed note', () => {
  const store = tempStore();
  const commits = recordCommits(store.db);
  const { id } = given(store, { title: 'Use vitest', rule: 'one' }).learning;
  changeLearning(store, id, { rule: 'two' }, EDITED);
  given(store, { title: 'Use vitest', rule: 'one' });
  expect(commits).toMatchObject([
    [{ type: 'learning.changed', kind: 'create', learning: { id, rule: 'one' } }],
    [{ type: 'learning.changed', kind: 'update', learning: { id, rule: 'two' } }],
  ]);
});
