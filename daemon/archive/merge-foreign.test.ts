import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { decidingBatch } from '../knowledge/import-batches.ts';
import { undo } from '../knowledge/revise.ts';
import { rescan } from '../knowledge/testing.ts';
import { atOnce } from '../platform/turns.ts';
import { batchOf, waitingBatches } from '../store/learnings/import-batches.ts';
import { waitingNotes } from '../store/learnings/list.ts';
import { findLearning, getLearning } from '../store/learnings/learnings.ts';
import { readSlotProposals, putSlot, storedSlots } from '../store/learnings/slots.ts';
import { given, tempStore } from '../testing/temp-home.ts';
import { exportArchive } from './export.ts';
import { importArchive, inspectArchive } from './import.ts';
import { listKeys, removeKey, trustKey } from './keys.ts';
import { archivePath, membersOf, partsOf, silent, writeMembers } from './testing.ts';

const TOKEN = `ghp_${'aB3dE5gH7'.repeat(4)}`;

/** An archive with everything that must not come in as it is. */
async function theirs(sign = false) {
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
  const { signedBy } = await exportArchive(partsOf(store), path, { replace: false, sign, report: silent });
  return { path, everywhere, secret, archived, signedBy: signedBy ?? '', keys: store.paths.keys };
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

test('a key that a person trusts lifts the review and nothing else; one’s own takes the archive as it is', async () => {
  const { path, everywhere, secret, signedBy, keys } = await theirs(true);
  const store = tempStore();
  expect(await inspectArchive(partsOf(store), path, silent)).toMatchObject({ trust: 'foreign', signedBy });
  const { id } = trustKey(store.paths.keys, signedBy, 'Ada', 1);
  expect(listKeys(store.paths.keys)).toMatchObject([{ id, name: 'Ada', isOwn: false }]);
  expect(await importArchive(partsOf(store), path, 'merge', silent, { mine: false })).toMatchObject({
    trust: 'known',
  });
  expect(getLearning(store.db, everywhere)).toMatchObject({
    scope: 'project',
    confidence: 0.6,
    status: 'proposed', // it would hold in every project
  });
  expect(getLearning(store.db, secret).status).toBe('active');
  expect(getLearning(store.db, secret).fix).toBe('Use the token [redacted github token]');
  expect(storedSlots(store.db, undefined)).toEqual([]);
  removeKey(store.paths.keys, 'Ada');
  expect(await inspectArchive(partsOf(store), path, silent)).toMatchObject({ trust: 'foreign' });

  const own = tempStore();
  await importArchive({ ...partsOf(own), keys }, path, 'merge', silent, { mine: false });
  expect(getLearning(own.db, everywhere)).toMatchObject({ scope: 'global', confidence: 1 });
});

test('an archive that was changed after it was signed is refused', async () => {
  const { path } = await theirs(true);
  const members = await membersOf(path);
  const { key } = JSON.parse(String(members.get('signature.json'))) as { key: string };
  const signature = Buffer.alloc(64).toString('base64');
  members.set('signature.json', Buffer.from(JSON.stringify({ key, signature })));
  const store = tempStore();
  await expect(
    importArchive(partsOf(store), await writeMembers(members), 'merge', silent, { mine: false }),
  ).rejects.toMatchObject({ code: 'bad-archive', message: expect.stringContaining('signature') as string });
  members.set('signature.json', Buffer.from('{"key":"x","signature":"y"}'));
  await expect(
    importArchive(partsOf(store), await writeMembers(members), 'merge', silent, { mine: false }),
  ).rejects.toMatchObject({ message: expect.stringContaining('cannot be read') as string });
});

test('replacing everything by a foreign archive keeps a backup and trusts none of its notes', async () => {
  const { path, everywhere } = await theirs();
  const store = tempStore();
  const mine = given(store, { title: 'Mine', project: 'p' }).learning.id;
  const { backup, trust, added } = await importArchive(partsOf(store), path, 'force', silent, {
    mine: false,
  });
  expect([trust, added.total]).toEqual(['foreign', 5]);
  expect(findLearning(store.db, mine)).toBeNull();
  expect(getLearning(store.db, everywhere)).toMatchObject({ status: 'proposed', scope: 'project' });
  expect(storedSlots(store.db, undefined)).toEqual([]);
  expect(await rescan(store)).toBe(0);
  // The backup has our own signature, so it needs no word of ours to come back as it was.
  await importArchive(partsOf(store), backup ?? '', 'force', silent, { mine: false });
  expect(getLearning(store.db, mine).status).toBe('active');
});

test('an import waits as one batch that is accepted or rejected as a whole, and one undo reverses that', async () => {
  const { path, everywhere, secret } = await theirs();
  const store = tempStore();
  given(store, { title: 'Sign in', fix: 'Ask Ada', project: 'p' });
  const { learning: known } = given(store, { title: 'Old', project: 'p', status: 'archived' });
  await importArchive(partsOf(store), path, 'merge', silent, { mine: false });
  const from = basename(path);
  expect(waitingBatches(store.db)).toMatchObject([{ from, added: 2, changed: 0, same: 1 }]);
  expect(
    batchOf(store.db, from)
      .added.map(({ id }) => id)
      .toSorted(),
  ).toEqual([everywhere, secret].toSorted());
  expect(known.status).toBe('archived');
  const { changed, changeId } = atOnce(decidingBatch(store, from, 'accept', 'person'));
  expect(changed).toBe(2);
  expect(waitingBatches(store.db)).toEqual([]);
  expect(getLearning(store.db, everywhere).status).toBe('active');
  undo(store, changeId ?? undefined, 'person');
  expect(waitingBatches(store.db)).toMatchObject([{ added: 2 }]);
});
