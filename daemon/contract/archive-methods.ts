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
    'Export the whole knowledge base to one file',
    z.strictObject({
      path,
      replace: z.boolean().default(false).describe('Overwrite an existing file'),
      sign: z.boolean().default(false).describe('Sign it with your key, which the first use creates'),
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
    'Import an export: into an empty knowledge base, in place of this one after a backup, or merged by id',
    z.strictObject({
      path,
      mode: ImportMode,
      mine: z
        .boolean()
        .default(false)
        .describe('You made it, so import it as it is; otherwise its notes and slots wait in the Inbox'),
    }),
    Imported,
    { long: true },
  ),
  'archive.batch': method(
    'List the notes of an import that wait for a decision',
    z.strictObject({ from: z.string().max(500) }),
    ImportBatchDetail,
  ),
  'archive.decide': method(
    'Accept or reject all waiting notes of an import, as one change',
    z.strictObject({ from: z.string().max(500), decision: z.enum(['accept', 'reject']) }),
    z.strictObject({ changed: z.number().int(), changeId: z.number().int().nullable() }),
    { long: true },
  ),
  'keys.list': method('List your own key and the keys you trust', z.strictObject({}), z.array(SigningKey)),
  'keys.trust': method(
    'Trust a key: notes signed with it are imported without review',
    z.strictObject({ key: z.string().trim().min(1).max(100), name: z.string().trim().min(1).max(100) }),
    SigningKey,
  ),
  'keys.remove': method(
    'Stop trusting a key; notes imported with it stay',
    z.strictObject({ key: z.string().trim().min(1).max(100).describe('Its id, name or text') }),
    SigningKey,
  ),
};
