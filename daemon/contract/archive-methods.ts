import * as z from 'zod';
import { ArchivePreview, Exported, Imported, ImportMode, Inspected } from './archive.ts';
import { path as file } from './fields.ts';
import { method } from './method.ts';

const path = file.describe('An absolute path on the daemon’s machine');

/** The knowledge base as one file. Part of the one table of methods; those that take minutes announce their progress as events. */
export const ARCHIVE_METHODS = {
  'archive.preview': method('Preview the contents and size of an export', z.strictObject({}), ArchivePreview),
  'archive.export': method(
    'Export the whole knowledge base to one file; the same knowledge gives the same bytes',
    z.strictObject({
      path,
      replace: z.boolean().default(false).describe('Overwrite an existing file'),
    }),
    Exported,
    { long: true },
  ),
  'archive.inspect': method(
    'Preview what an import would add, change and remove',
    z.strictObject({ path }),
    Inspected,
    { long: true },
  ),
  'archive.import': method(
    'Import an export: restore it into an empty knowledge base, replace this one after a backup, or merge by id',
    z.strictObject({
      path,
      mode: ImportMode,
      mine: z
        .boolean()
        .default(false)
        .describe(
          'Merge it as it is, because you made it; otherwise its notes wait for you and its slots are questions',
        ),
    }),
    Imported,
    { long: true },
  ),
};
