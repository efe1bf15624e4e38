import { DaemonError } from '#contract/errors.ts';
import type { Handlers } from '#contract/methods.ts';
import { changeLearning } from '../store/learning-write.ts';
import { chunksOfLearning, chunksOfTranscript } from '../store/lineage.ts';
import { findWindow, listWindows, settleWindow } from '../store/windows.ts';
import type { DaemonParts } from './daemon-parts.ts';

type Methods = 'capture.windows' | 'capture.lineage' | 'capture.pause' | 'capture.resume' | 'capture.dismiss';

export function captureHandlers({ store, capture }: DaemonParts): Pick<Handlers, Methods> {
  const setPaused = (paused: boolean) => {
    capture.setPaused(paused);
    return { ok: true } as const;
  };
  return {
    'capture.windows': ({ session, limit }) => listWindows(store.db, session, limit),
    'capture.lineage': (of) => ('learning' in of ? chunksOfLearning(store.db, of.learning) : chunksOfTranscript(store.db, of.transcript)),
    'capture.pause': () => setPaused(true),
    'capture.resume': () => setPaused(false),
    'capture.dismiss': ({ id }) => {
      const window = findWindow(store.db, id);
      if (!window) throw new DaemonError('not-found', `window ${id}`);
      if (window.learningId) changeLearning(store, window.learningId, { status: 'archived' }, { actor: 'person', kind: 'archive', reason: 'nothing to learn there' });
      settleWindow(store.db, id, 'dismissed', window.learningId);
      return { ok: true };
    },
  };
}
