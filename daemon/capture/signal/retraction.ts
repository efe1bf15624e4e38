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
  doc: 'A person retracts what they said before: the earlier message teaches nothing.',
  switch: flag('REFLECT_SIGNAL_RETRACTION', true, 'Drop what you retract in the next message'),
  knobs: {},
  start() {
    let last: Prompt | null = null;
    return {
      see(event) {
        if (event.kind !== 'prompt' || event.subagent) return [];
        const previous = last;
        last = event;
        return previous && RETRACTS.test(plain(event.text)) ? [{ sees: 'retraction', of: previous }] : [];
      },
    };
  },
});
