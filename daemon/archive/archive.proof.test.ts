import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rescan } from '../knowledge/testing.ts';
import { knowledgeVersion } from '../store/learnings/history.ts';
import { documentOf } from '../store/learnings/documents.ts';
import { changeLearning } from '../store/learnings/write.ts';
import { getLearning, listProjects } from '../store/learnings/learnings.ts';
import { chunksOfLearning } from '../store/learnings/lineage.ts';
import { addGap, closeGap, listGaps, openQuestions } from '../store/learnings/questions.ts';
import { storedSlots } from '../store/learnings/slots.ts';
import { countUnexamined } from '../store/learnings/unexamined.ts';
import { runDaemon } from '../testing/running-daemon.ts';
import { EDITED, given, tempStore } from '../testing/temp-home.ts';
import { exportArchive } from './export.ts';
import { importArchive, inspectArchive } from './import.ts';
import {
  archivePath,
  everything,
  filesIn,
  fullStore,
  membersOf,
  partsOf,
  rowsOf,
  SHOP,
  silent,
} from './testing.ts';
import type { ReportProgress } from './archive-parts.ts';
import type { TempStore } from '../testing/temp-home.ts';
import { sha256 } from '../platform/sha256.ts';

const exported = (store: TempStore, path = archivePath(), report: ReportProgress = silent) =>
  exportArchive(partsOf(store), path, { replace: false, report });
const idOf = (store: TempStore, title: string) =>
  store.db.prepare('SELECT id FROM learning WHERE title = ?').pluck().get(title) as string;

describe('C5: a knowledge base as one file', () => {
  test('is byte-identical every time, and different after one more learning', async () => {
    const store = fullStore();
    const one = await exported(store);
    expect((await exported(store)).sha256).toBe(one.sha256);
    expect(sha256(readFileSync(one.path))).toBe(one.sha256);
    changeLearning(store, idOf(store, 'Round tax half up'), { tags: ['tax'] }, EDITED);
    expect((await exported(store)).sha256).not.toBe(one.sha256);
  });

  test('lists its members by name, without dates, owners or anything of this machine', async () => {
    const { path } = await exported(fullStore());
    const names = [...(await membersOf(path)).keys()];
    expect(names).toEqual(names.toSorted());
    expect(names).toEqual(
      expect.arrayContaining([
        'documents/no-front-matter.md',
        'documents/für später.md',
        'manifest.json',
        'reflect.db',
      ]),
    );
    const bytes = readFileSync(path);
    expect(bytes.toString('latin1', 100, 148)).toMatch(/^0000644\0(0000000\0){2}\d{11}\x0000000000000\0$/);
    expect(bytes.includes('/home/ada/shop')).toBe(false);
  });

  test('is restored in another home: every document byte for byte, every row, the index; exported again it is the same file', async () => {
    const [here, there] = [fullStore(), tempStore()];
    const { path, sha256 } = await exported(here);
    const imported = await importArchive(partsOf(there), path, 'restore', silent);
    expect(imported).toMatchObject({ backup: null, removed: { total: 0 }, replaced: { total: 0 } });
    expect(everything(there)).toEqual(everything(here));
    expect((await exported(there)).sha256).toBe(sha256);
    expect(await rescan(there)).toBe(0);
    expect(countUnexamined(there.db)).toBe(0); // it comes as it was looked at: no new question, no other file tomorrow
    const tax = idOf(there, 'Round tax half up');
    expect(chunksOfLearning(there.db, tax)).toMatchObject([
      { transcript: '/home/ada/t.jsonl', state: 'kept', learnings: [tax] },
    ]);
    expect(there.db.prepare('SELECT count(*) FROM capture_window').pluck().get()).toBe(1); // what waits here is nobody else's work
    expect(storedSlots(there.db, SHOP).map(({ name }) => name)).toEqual(['zebra', 'guidance']);
    expect(listProjects(there.db)[0]).toMatchObject({ id: SHOP, name: 'The shop', root: '' });
    expect(existsSync(there.paths.staging) && Object.keys(filesIn(there.paths.staging)).length > 0).toBe(
      false,
    );
  });

  test('keeps closed questions closed; after a merge a local decision stands and no question counts twice', async () => {
    const ask = ({ db }: TempStore, normalized: string, at: number) =>
      addGap(db, { at, query: `How to ${normalized}?`, normalized, project: SHOP, session: 's' });
    const close = ({ db }: TempStore, what: string) =>
      closeGap(db, { query: `How to ${what}?`, project: SHOP }, true);
    const open = ({ db }: TempStore) =>
      listGaps(db)
        .map(({ query, times }) => `${query} ${times}`)
        .toSorted();
    const [here, restored, merged] = [tempStore(), tempStore(), tempStore()];
    for (const what of ['ship', 'sail', 'row']) ask(here, what, 1);
    close(here, 'ship');
    close(here, 'sail');
    const { path } = await exported(here);
    await importArchive(partsOf(restored), path, 'restore', silent);
    expect(open(restored)).toEqual(['How to row? 1']);

    for (const what of ['sail', 'row']) ask(merged, what, 1);
    close(merged, 'row');
    await importArchive(partsOf(merged), path, 'merge', silent);
    expect(open(merged)).toEqual(['How to sail? 1']);
    ask(merged, 'ship', 9);
    expect(open(merged)).toEqual(['How to sail? 1', 'How to ship? 2']);
  });

  test('gives the same answers in the other home', async () => {
    const [here, there] = [await runDaemon(), await runDaemon()];
    for (const title of ['Feed the cat at noon', 'The cat sleeps at noon', 'Noon is when the dog barks'])
      await here.call('learnings.create', { note: { title, scope: 'global' } });
    const path = archivePath();
    await here.call('archive.export', { path });
    const ask = async ({ call }: typeof here) =>
      (await call('recall.search', { query: 'cat at noon', global: true, quiet: true })).hits.map(
        ({ learning, score }) => ({ learning, score: score.toFixed(6) }),
      ); // it is a moment older for whoever asks second
    expect(await ask(there)).toEqual([]);
    await there.call('archive.import', { path, mode: 'restore', mine: true });
    const answers = await ask(here);
    expect(answers.length).toBeGreaterThan(1);
    expect(await ask(there)).toEqual(answers);
  });

  test('is a snapshot of one instant, whatever is written meanwhile', async () => {
    const store = fullStore();
    const before = await exported(store);
    let meddled = false;
    const meddle = () => {
      if (meddled) return;
      meddled = true;
      changeLearning(
        store,
        idOf(store, 'Round tax half up'),
        { rule: 'Written while the export ran.', branch: null },
        EDITED,
      );
      given(store, { title: 'Learned while the export ran', project: SHOP });
    };
    const during = await exported(store, undefined, meddle);
    expect(meddled).toBe(true);
    expect(during.sha256).toBe(before.sha256);
    expect((await exported(store)).sha256).not.toBe(before.sha256);
  });
});

describe('C5: a knowledge base that is in use', () => {
  async function two(): Promise<{ path: string; there: TempStore }> {
    const here = fullStore();
    const there = tempStore();
    given(there, { title: 'Only here', project: SHOP });
    given(there, { title: 'Install with pnpm', rule: 'Never npm.', project: SHOP, tags: ['tools', 'node'] });
    writeFileSync(join(there.documents, 'photo.png'), 'not a note');
    return { path: (await exported(here)).path, there };
  }

  test('is not touched by a plain import', async () => {
    const { path, there } = await two();
    const before = everything(there);
    await expect(importArchive(partsOf(there), path, 'restore', silent)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('--merge') as string,
    });
    expect(everything(there)).toEqual(before);
  });

  test('is replaced with --force, and its backup brings it back as it was', async () => {
    const { path, there } = await two();
    const before = rowsOf(there);
    const files = filesIn(there.documents);
    const { backup, keptFiles, removed, replaced } = await importArchive(
      partsOf(there),
      path,
      'force',
      silent,
    );
    expect(removed.items).toMatchObject([{ title: 'Only here' }]);
    expect(replaced.items).toMatchObject([
      { title: 'Install with pnpm', fields: expect.arrayContaining(['rule', 'entities']) as string[] },
    ]);
    expect((await exported(there)).sha256).toBe(sha256(readFileSync(path)));
    expect(readFileSync(join(keptFiles ?? '', 'photo.png'), 'utf8')).toBe('not a note');
    await importArchive(partsOf(there), backup ?? '', 'force', silent);
    expect(rowsOf(there)).toEqual(before);
    expect({ ...filesIn(there.documents), 'photo.png': files['photo.png'] }).toEqual(files);
  });

  test('keeps what was learned while the --force backup was written', async () => {
    const { path, there } = await two();
    let learned = false;
    const { backup } = await importArchive(partsOf(there), path, 'force', (step) => {
      if (learned || !step.startsWith('backup')) return;
      learned = true;
      given(there, { title: 'Learned at the last moment', project: SHOP });
    });
    await importArchive(partsOf(there), backup ?? '', 'force', silent);
    expect(getLearning(there.db, idOf(there, 'Learned at the last moment'))).toMatchObject({
      status: 'active',
    });
  });

  test('gains with --merge: new learnings come with their history, differing ones become questions, existing ones stay', async () => {
    const { path, there } = await two();
    const pnpm = getLearning(there.db, idOf(there, 'Install with pnpm'));
    const merged = await importArchive(partsOf(there), path, 'merge', silent);
    expect(merged).toMatchObject({
      conflicts: 1,
      backup: null,
      removed: { total: 0 },
      replaced: { total: 0 },
      stayed: { items: [{ id: pnpm.id }] },
    });
    expect(getLearning(there.db, pnpm.id)).toEqual(pnpm);
    expect(getLearning(there.db, idOf(there, 'Only here')).status).toBe('active');
    expect(openQuestions(there.db)).toMatchObject([
      {
        existing: { id: pnpm.id, rule: 'Never npm.' },
        incoming: { status: 'proposed', rule: 'Never npm, never yarn.' },
      },
      { incoming: { title: 'Use pnpm to install' } },
    ]);
    const tax = idOf(there, 'Round tax half up');
    expect(getLearning(there.db, tax).signals).toMatchObject({ qValue: 0.7, uses: 3, recallCount: 9 });
    expect(chunksOfLearning(there.db, tax)).toHaveLength(1);
    const forgotten = there.db
      .prepare(`SELECT kind, actor FROM change WHERE learning_id = ? ORDER BY id`)
      .all(idOf(there, 'Ask Bob'));
    expect(forgotten).toMatchObject([
      { kind: 'create', actor: 'test' },
      { kind: 'update', actor: 'test' },
      { kind: 'create', actor: 'import' },
    ]);
    const byHand = documentOf(there.db, idOf(there, 'Deploy on Mondays'))?.path ?? '';
    expect(readFileSync(join(there.documents, byHand), 'utf8')).toContain('# mine');
    expect(storedSlots(there.db, SHOP)).toHaveLength(2);
    expect(there.db.pragma('foreign_key_check')).toEqual([]);
    expect(await rescan(there)).toBe(0);
  });

  test('does not change when the same merge runs again, and asks nothing twice', async () => {
    const { path, there } = await two();
    await importArchive(partsOf(there), path, 'merge', silent);
    const [before, version] = [everything(there), knowledgeVersion(there.db)];
    expect(await importArchive(partsOf(there), path, 'merge', silent)).toMatchObject({
      conflicts: 0,
      added: { total: 0 },
    });
    expect(everything(there)).toEqual(before);
    expect(knowledgeVersion(there.db)).toBe(version);
  });

  test('is not changed by a dry run', async () => {
    const { path, there } = await two();
    const before = everything(there);
    const { diff, targetEmpty } = await inspectArchive(partsOf(there), path, silent);
    expect(targetEmpty).toBe(false);
    expect(diff.added.items.map(({ title }) => title)).toEqual(
      expect.arrayContaining(['Round tax half up', 'zebra', 'Ask Bob']),
    );
    expect(diff).toMatchObject({
      changed: { total: 1, items: [{ title: 'Install with pnpm' }] },
      conflicts: 1,
      missing: { items: [{ title: 'Only here' }] },
      same: 0,
    });
    expect(everything(there)).toEqual(before);
  });
});
