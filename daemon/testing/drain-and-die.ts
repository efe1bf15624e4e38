import { Drain } from '../drain/drain.ts';
import { silentLog } from '../platform/log.ts';
import { pathsOf } from '../platform/paths.ts';
import { openStore } from '../store/open.ts';

// node drain-and-die.ts <home> <time>: takes a moment from the queue at that time and kills itself while it writes it
// down.
const [home = '', time = ''] = process.argv.slice(2);
const paths = pathsOf(home);
const { db } = openStore(paths.database, paths.backups);
const store = { db, documents: paths.documents, now: () => Number(time) };
const writer = {
  name: 'deadly',
  write: () => {
    process.kill(process.pid, 'SIGKILL');
    return new Promise<never>(() => {});
  },
};
await new Drain({
  store,
  writer,
  plain: writer,
  log: silentLog,
  modes: paths.modes,
  resolver: () => (knob) => knob.default,
}).run();
