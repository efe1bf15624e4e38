import { flag } from '../../ports/knob.ts';
import { plain } from '../judge/wording.ts';
import type { Prompt } from '../event-kinds.ts';
import { signal } from '../port.ts';

const INTERJECTIONS = '(?:(?:oh|ah|oops|sorry|wait|no)[,. ]+)*';
const RETRACTIONS = [
  'never ?mind|disregard|ignore (?:that|this|my last)|forget (?:it|that|what i)|scrap (?:it|that)',
  'wrong (?:chat|window|session|repo)|sorry,? wrong|i was wrong|my mistake|on second thou?ghts?',
  'actually\\b.{0,80}\\b(?:keep it|leave it|as (?:it|they) (?:is|was|were|are)|stuff it|never ?mind|forget)',
].join('|');
const RETRACTS = new RegExp(`^${INTERJECTIONS}(?:${RETRACTIONS})`);

export const retraction = signal({
  id: 'signal.retraction',
  seeds: [],
  doc: 'A person retracts what they said before, or stops the agent and says it again: the earlier message teaches nothing.',
  switch: flag('REFLECT_SIGNAL_RETRACTION', true, 'Drop what you retract in the next message'),
  knobs: {},
  start() {
    let last: Prompt | null = null;
    let interrupted = false;
    return {
      see(event) {
        if (event.subagent) return [];
        if (event.kind === 'interruption') interrupted = true;
        if (event.kind !== 'prompt') return [];
        const previous = last;
        const again = interrupted && previous !== null && isSaidAgain(previous.text, event.text);
        [last, interrupted] = [event, false];
        return previous && (again || RETRACTS.test(plain(event.text)))
          ? [{ sees: 'retraction', of: previous }]
          : [];
      },
    };
  },
});

const LEAST_SHARED = 20; // characters

/** The message was reworded or grew: it begins as the one before. */
function isSaidAgain(before: string, after: string): boolean {
  const [one, other] = [plain(before), plain(after)];
  const shorter = Math.min(one.length, other.length);
  let shared = 0;
  while (shared < shorter && one[shared] === other[shared]) shared++;
  return shared === shorter || (shared >= LEAST_SHARED && shared >= shorter / 2);
}
