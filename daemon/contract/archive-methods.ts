import * as z from 'zod';
import { ArchivePreview, Exported, Imported, ImportMode, Inspected } from './archive.ts';
import { path as file } from './fields.ts';
import { method } from './method.ts';

const path = file.describe('An absolute path on the machine of the daemon');

/** The knowledge base as one file. Part of the one table of methods; those that take minutes announce their progress as events. */
export const ARCHIVE_METHODS = {
  'archive.preview': method(
    'What an export would hold, and about how large it would be',
    z.strictObject({}),
    ArchivePreview,
  ),
  'archive.export': method(
    'Write the whole knowledge base into one file, the same bytes for the same knowledge',
    z.strictObject({
      path,
      replace: z.boolean().default(false).describe('Take the place of a file that is there'),
    }),
    Exported,
    { long: true },
  ),
  'archive.inspect': method(
    'What an import would add, change and take away; nothing changes',
    z.strictObject({ path }),
    Inspected,
    { long: true },
  ),
  'archive.import': method(
    'Bring an export in: into an empty knowledge base, in the place of this one after a backup, or merged into it by id',
    z.strictObject({ path, mode: ImportMode }),
    Imported,
    { long: true },
  ),
};
