import * as z from 'zod';
import {
  ArchivePreview,
  Exported,
  ImportBatchDetail,
  Imported,
  ImportMode,
  Inspected,
  SigningKey,
} from './archive.ts';
import { path as file } from './fields.ts';
import { method } from './method.ts';

const path = file.describe('An absolute path on the daemon’s machine');

/** The knowledge base as one file. Methods that take minutes report their progress as events. */
export const ARCHIVE_METHODS = {
  'archive.preview': method('Preview the contents and size of an export', z.strictObject({}), ArchivePreview),
  'archive.export': method(
    'Export the whole knowledge base to one file; the same knowledge gives the same bytes',
    z.strictObject({
      path,
      replace: z.boolean().default(false).describe('Overwrite an existing file'),
      sign: z.boolean().default(false).describe('Sign it with your key, which is made the first time'),
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
          'Take it as it is, because you made it; otherwise its notes wait for you and its slots are questions',
        ),
    }),
    Imported,
    { long: true },
  ),
  'archive.batch': method(
    'List the notes of an import that wait for you',
    z.strictObject({ from: z.string().max(500) }),
    ImportBatchDetail,
  ),
  'archive.decide': method(
    'Accept or reject all notes of an import that wait, as one change',
    z.strictObject({ from: z.string().max(500), decision: z.enum(['accept', 'reject']) }),
    z.strictObject({ changed: z.number().int(), changeId: z.number().int().nullable() }),
    { long: true },
  ),
  'keys.list': method('List your own key and the keys you trust', z.strictObject({}), z.array(SigningKey)),
  'keys.trust': method(
    'Trust a key: notes of archives it signed come in without waiting for you',
    z.strictObject({ key: z.string().trim().min(1).max(100), name: z.string().trim().min(1).max(100) }),
    SigningKey,
  ),
  'keys.remove': method(
    'Stop trusting a key; what it brought in stays',
    z.strictObject({ key: z.string().trim().min(1).max(100).describe('Its id, name or text') }),
    SigningKey,
  ),
};
