import { Note } from '#contract/entities.ts';
import { pathsOf } from '../platform/paths.ts';
import { openStore } from '../store/open.ts';
import { addLearning, changeLearning, type Store } from '../store/learnings/write.ts';
import { AFTER, BEFORE, WRITES } from './interrupted-writes.ts';

// node write-and-die.ts <home> <write> <step> [id]: makes one write and kills itself at that step of it, without a
// goodbye.
const [home = '', write = '', deadly = '', id = ''] = process.argv.slice(2);
const paths = pathsOf(home);
const { db } = openStore(paths.database, paths.backups);
const store: Store = {
  db,
  documents: paths.documents,
  now: () => Date.now(),
  onStep: (step) => {
    if (step === deadly) process.kill(process.pid, 'SIGKILL');
  },
};
if (write === WRITES.create)
  addLearning(store, Note.parse(BEFORE), { actor: 'test', kind: 'create', reason: '' });
else changeLearning(store, id, AFTER[write] ?? {}, { actor: 'test', kind: 'update', reason: '' });
