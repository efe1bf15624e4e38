import { isLasting, TITLE_CUES } from './title-cues.ts';

const CUES = new Map(TITLE_CUES.map((cue) => [cue.id, cue]));
const holds = (id: string, title: string) => Boolean(CUES.get(id)?.holds(title));

/** Cues of words that mean something only in the session they were said in. */
const OF_ITS_MOMENT = [
  'question',
  'chat',
  'one-off',
  'points',
  'points-first',
  'it-object',
  'demonstrative',
  'elliptic',
  'numbered',
  'cast',
];

/**
 * True for a request that people repeat without teaching anything: "Commit and push", "address the comment if it
 * applies". Said in two sessions it is still no lesson.
 */
export const isOneOffRequest = (title: string): boolean =>
  !isLasting(title) &&
  !holds('ruled-task', title) &&
  (OF_ITS_MOMENT.some((id) => holds(id, title)) || (holds('task', title) && holds('names-nothing', title)));
