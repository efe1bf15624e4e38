import { importArchive } from '../archive/import.ts';
import { recoverImport } from '../archive/restore.ts';
import { pathsOf } from '../platform/paths.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/learnings/write.ts';

// node import-and-die.ts <home> <archive> <mode> <step> <nth>: imports and kills itself when it comes to that step for
// the nth time. With `recover` for the mode it does what a start does, and dies there.
const [home = '', archive = '', mode = '', deadly = '', nth = '1'] = process.argv.slice(2);
const paths = pathsOf(home);
const { db } = openStore(paths.database, paths.backups);
let seen = 0;
const step = (name: string) => {
  if (name.startsWith(deadly) && ++seen === Number(nth)) process.kill(process.pid, 'SIGKILL');
};
const store: Store = { db, documents: paths.documents, now: () => Date.now(), onStep: step };
const parts = {
  store,
  staging: paths.staging,
  backups: paths.backups,
  keys: paths.keys,
  signal: new AbortController().signal,
};
if (mode === 'recover') recoverImport(parts);
else await importArchive(parts, archive, mode as 'force' | 'merge', step);
