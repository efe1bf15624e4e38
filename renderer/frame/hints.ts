import { keysWords } from './words.ts';
import type { Page } from './route.ts';

const { hints } = keysWords;
const move = ['j k', hints.move] as const;
const search = ['/', hints.search] as const;

/** The keys that matter now, small, at the end of the status line. */
export const HINTS: Record<Page, readonly (readonly [key: string, does: string])[]> = {
  inbox: [
    move,
    ['1 2 3', hints.choose],
    ['⏎', hints.decide],
    ['z', hints.undo],
    ['d', hints.dismiss],
    ['b', hints.both],
  ],
  learnings: [move, ['e', hints.edit], ['a', hints.archive], ['x', hints.mark], ['z', hints.undo], search],
  lab: [search, move, ['t', hints.toggle], ['s', hints.link], ['c', hints.json]],
  graph: [
    ['← → ↑ ↓', hints.neighbours],
    ['Enter', hints.open],
    search,
    ['t', hints.table],
    ['f', hints.fit],
    ['+ −', hints.zoom],
  ],
  slots: [move, ['e', hints.edit], ['n', hints.newSlot], ['l', hints.lock], ['J K', hints.order]],
  sessions: [move, ['d', hints.dismiss], ['p', hints.pause]],
  utility: [move, ['Enter', hints.open], ['← →', hints.tabs], ['y n', hints.helped]],
  health: [],
  team: [
    ['e', hints.export],
    ['i', hints.import],
    ['m', hints.mergeIn],
  ],
  settings: [search],
};
