import type { Settings } from '../platform/settings.ts';
import type { Store } from '../store/learnings/write.ts';
import { getMeta, setMeta } from '../store/meta.ts';
import { DRAIN_KNOBS } from './knobs.ts';

const AGREED = 'capture-agreed';

/** Records that a person agreed to the reading of transcripts. */
export const agree = ({ db }: Store): void => setMeta(db, AGREED, 'yes');

/**
 * True once a person agreed to the reading of transcripts: by a click, with `reflect setup`, or by setting
 * REFLECT_CAPTURE. A store with transcripts comes from a release that did not ask; its person has agreed by using it.
 */
export const hasAgreed = ({ db }: Store, settings: Settings): boolean =>
  getMeta(db, AGREED) === 'yes' ||
  settings.state(DRAIN_KNOBS.capture).source !== 'default' ||
  db.prepare('SELECT 1 FROM transcript LIMIT 1').get() !== undefined;
