import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { Note } from '#contract/entities.ts';
import { enteringNote } from '../import/enter.ts';
import type { Found, Importer } from '../import/importer.ts';
import { importerFor } from '../import/importers.ts';
import { parseDocument, renderDocument } from '../store/learnings/document-format.ts';
import { tempFolder } from './temp-home.ts';

export interface Exported {
  /** Files by their path in the folder, or a function that writes them. */
  files: Readonly<Record<string, string | Buffer>> | ((folder: string) => void | Promise<void>);
  /** The part of the folder to import; the folder itself by default. */
  path?: string;
  /** All finds, in order. */
  found: object[];
}

const SECRET = `ghp_${'aB3dE5gH7'.repeat(4)}`;
const ORIGIN = { source: 'a', project: 'shop', batch: 'import-1', keep: false } as const;

/** The promises of every importer. A new program brings files of its own and passes this unchanged. */
export function testImporter(importer: Importer, { files, path = '', found: expected }: Exported): void {
  let root = '';
  const all = async () => {
    const found: Found[] = [];
    for await (const each of importer.read(root)) found.push(each);
    return found;
  };
  const notesIn = async () => (await all()).flatMap((each) => ('note' in each ? [each] : []));

  describe(`import: ${importer.name}`, () => {
    beforeEach(async () => {
      const folder = tempFolder();
      root = join(folder, path);
      if (typeof files === 'function') await files(folder);
      else writeFiles(folder, files);
    });

    test('is recognised, and by no other importer before it', async () => {
      expect((await importerFor(root, undefined)).kind).toBe(importer.kind);
    });

    test('reads as what is in it, and names where each part stands', async () => {
      expect(await all()).toMatchObject(expected);
      expect(new Set((await all()).map(({ source }) => source)).size).toBe(expected.length);
    });

    test('reads the same a second time', async () => {
      expect(await all()).toEqual(await all());
    });

    test('enters as a candidate of one project, believed little, and its file gives it back whole', async () => {
      for (const each of await notesIn()) {
        const note = enteringNote(each, { ...ORIGIN, kind: importer.kind }, {});
        expect(note).toMatchObject({ status: 'candidate', scope: 'project', project: 'shop' });
        expect(note.confidence).toBeLessThanOrEqual(0.6);
        const { markdown, sidecar } = renderDocument({ ...note, id: 'lrn-x-1', createdAt: 1, updatedAt: 1 });
        expect(parseDocument({ markdown, sidecar }).note).toEqual(
          Note.parse({ ...note, body: note.body.trimEnd() }),
        );
      }
    });

    test('enters without its secrets', async () => {
      for (const each of await notesIn()) {
        const counts: Record<string, number> = {};
        const leaky = { ...each, note: { ...each.note, body: `${each.note.body ?? ''} ${SECRET}` } };
        const note = enteringNote(leaky, { ...ORIGIN, kind: importer.kind }, counts);
        expect(JSON.stringify(note)).not.toContain(SECRET);
        expect(counts).toEqual({ 'github token': 1 });
      }
    });
  });
}

export function writeFiles(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}
