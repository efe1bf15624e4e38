import * as z from 'zod';
import { path as file, project } from './fields.ts';
import { ImportKind, ImportPreview, ImportResult } from './imports.ts';
import { method } from './method.ts';

const input = z.strictObject({
  path: file.describe('A file or folder of another program, as an absolute path on the daemon’s machine'),
  kind: ImportKind.exclude(['reflect-archive'])
    .optional()
    .describe('The program it comes from; detected by default'),
  project: project.optional().describe('The project for notes without a known one'),
});

/** Knowledge that other programs keep. Part of the one table of methods. */
export const IMPORT_METHODS = {
  'imports.detect': method(
    'Detect which program a file or folder comes from',
    input.pick({ path: true }),
    ImportPreview.pick({ kind: true, name: true }),
  ),
  'imports.preview': method(
    'Preview which notes of another program are new, known or unreadable, and why',
    input,
    ImportPreview,
    { long: true },
  ),
  'imports.run': method(
    'Import the notes of another program; they wait as candidates, and one undo reverses all of it',
    input.extend({
      keep: z.boolean().default(false).describe('Import them as learnings at once, not as candidates'),
    }),
    ImportResult,
    { long: true },
  ),
};
