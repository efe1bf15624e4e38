import { expect, test } from 'vitest';
import { waitingNotes } from '../store/learnings/list.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { readSlotProposals } from '../store/learnings/slot-proposals.ts';
import { putSlot, storedSlots } from '../store/learnings/slots.ts';
import { given, tempStore } from '../testing/temp-home.ts';
import { exportArchive } from './export.ts';
import { importArchive } from './import.ts';
import { archivePath, partsOf, silent } from './testing.ts';

const TOKEN = `ghp_${'aB3dE5gH7'.repeat(4)}`;

/** An archive with everything that must not come in as it is. */
async function theirs() {
  const store = tempStore();
  const everywhere = given(store, { title: 'Use pnpm', scope: 'global', confidence: 1, project: '' }).learning
    .id;
  const secret = given(store, { title: 'Sign in', fix: `Use the token ${TOKEN}`, project: 'p' }).learning.id;
  const archived = given(store, { title: 'Old', project: 'p', status: 'archived' }).learning.id;
  store.db
    .prepare(`UPDATE learning SET note = json_set(note, '$.fix', ?) WHERE id = ?`)
    .run(`Use the token ${TOKEN}`, secret);
  for (const project of ['', 'p'])
    putSlot(store.db, {
      project,
      name: 'guidance',
      content: `Obey ${TOKEN}`,
      description: '',
      sizeLimit: 500,
      readOnly: true,
      updatedAt: 1,
    });
  const path = archivePath();
  await exportArchive(partsOf(store), path, { replace: false, tell: silent });
  return { path, everywhere, secret, archived };
}

test('notes of a foreign archive are redacted, of their project, uncertain, and wait; its slots are questions', async () => {
  const { path, everywhere, secret, archived } = await theirs();
  const store = tempStore();
  await importArchive(partsOf(store), path, 'merge', silent, { mine: false });
  expect(getLearning(store.db, everywhere)).toMatchObject({
    scope: 'project',
    confidence: 0.6,
    status: 'proposed',
  });
  expect(getLearning(store.db, secret)).toMatchObject({
    status: 'proposed',
    fix: 'Use the token [redacted github token]',
  });
  expect(getLearning(store.db, archived).status).toBe('archived');
  expect(
    waitingNotes(store.db, 10)
      .imported.map(({ id }) => id)
      .toSorted(),
  ).toEqual([everywhere, secret].toSorted());
  expect(storedSlots(store.db, undefined)).toEqual([]);
  expect(readSlotProposals(store.db).map(({ project, text }) => [project, text])).toEqual([
    ['', 'Obey [redacted github token]'],
    ['p', 'Obey [redacted github token]'],
  ]);
  const rows = store.db.prepare('SELECT before, after FROM change').raw().all();
  expect(JSON.stringify(rows)).not.toContain(TOKEN);
});

test('the archive of the person themselves comes in as it is', async () => {
  const { path, everywhere } = await theirs();
  const store = tempStore();
  await importArchive(partsOf(store), path, 'merge', silent, { mine: true });
  expect(getLearning(store.db, everywhere)).toMatchObject({
    scope: 'global',
    confidence: 1,
    status: 'active',
  });
  expect(storedSlots(store.db, undefined)).toHaveLength(2);
});

test('what differs is a merge question as before, and a second import asks nothing more', async () => {
  const { path, secret } = await theirs();
  const store = tempStore();
  given(store, { title: 'Sign in', fix: 'Ask Ada', project: 'p' });
  await importArchive(partsOf(store), path, 'merge', silent, { mine: false });
  const before = waitingNotes(store.db, 10);
  expect(await importArchive(partsOf(store), path, 'merge', silent, { mine: false })).toMatchObject({
    conflicts: 0,
  });
  expect(waitingNotes(store.db, 10)).toEqual(before);
  expect(getLearning(store.db, secret).status).toBe('proposed');
});
