import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { CaptureThread } from './capture-thread.ts';
import type { ToCapture } from './protocol.ts';

function run(port: NonNullable<typeof parentPort>): void {
  let thread: CaptureThread | null = null;
  port.on('message', (message: ToCapture) => {
    switch (message.type) {
      case 'start':
        thread = new CaptureThread(message.start, (outgoing) => port.postMessage(outgoing));
        thread.watch();
        break;
      case 'stored':
        thread?.stored();
        break;
      case 'read':
        thread?.readNow(message.request);
        break;
      case 'pause':
        thread?.setPaused(true);
        break;
      case 'resume':
        thread?.setPaused(false);
        break;
      case 'stop':
        void Promise.resolve(thread?.stop()).then(() => port.close());
    }
  });
}

/**
 * Reading old sessions takes a core for minutes; people and agents who ask meanwhile go first. Only Linux has
 * priorities of threads.
 */
function stepBack(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), constants.priority.PRIORITY_LOW);
  } catch {
    // without /proc, or where a sandbox forbids it
  }
}

stepBack();
if (parentPort) run(parentPort);
