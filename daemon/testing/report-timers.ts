import { createHook, executionAsyncId } from 'node:async_hooks';
import { appendFileSync } from 'node:fs';

// Loaded with --import into a daemon and its threads: writes a line for each timer that fires, with who set it.
const file = process.env['REFLECT_REPORT_TIMERS'];
const timers = new Map<number, string>();
if (file)
  createHook({
    init(id, type) {
      if (type === 'Timeout') timers.set(id, new Error(`set in ${executionAsyncId()}`).stack ?? '');
    },
    before(id) {
      const stack = timers.get(id);
      if (stack) appendFileSync(file, `${Date.now()} ${stack.replaceAll(/\s*\n\s*/g, ' | ')}\n`);
    },
    destroy: (id) => void timers.delete(id),
  }).enable();
