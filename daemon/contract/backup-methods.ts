import * as z from 'zod';
import { Backup, Restoring } from './backups.ts';
import { done } from './fields.ts';
import { method } from './method.ts';

const chosen = z.strictObject({
  name: z.string().max(200).describe('A name from the list of backups, or `latest`'),
  keepNotes: z.boolean().default(false).describe('Keep the note files; restore slots, history and decisions'),
});

/** Copies of the database and the way back to one. Part of the one table of methods. */
export const BACKUP_METHODS = {
  'backups.list': method('List the backups, newest first', z.strictObject({}), z.array(Backup)),
  'backups.make': method('Back up the database now', z.strictObject({}), Backup, { long: true }),
  'backups.preview': method('Preview what a restore would bring back, change and remove', chosen, Restoring, {
    long: true,
  }),
  'backups.restore': method(
    'Restore a backup and restart; the current state is backed up first',
    chosen,
    Restoring,
    { long: true },
  ),
  'backups.skip': method('Continue without a backup after the database was lost', z.strictObject({}), done),
};
