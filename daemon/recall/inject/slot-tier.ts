import type { Slot } from '#contract/slots.ts';
import { flag, integer } from '../../ports/knob.ts';
import { projectPort } from '../../ports/port.ts';
import { quoted } from '../../text/plain-line.ts';

const SLOT_TIER_KNOBS = {
  maxChars: integer('REFLECT_SLOTS_MAX_CHARS', {
    default: 4_000,
    min: 100,
    max: 20_000,
    doc: 'Maximum characters of pinned slots at session start',
  }),
};

export const slotTier = projectPort({
  id: 'inject.slots',
  seeds: ['A1'],
  doc: 'Starts every session with the pinned slots.',
  // The seeds ask for opt-in. An empty slot injects nothing, so pinning something is the opt-in.
  switch: flag('REFLECT_SLOTS', true, 'Start sessions with the pinned slots'),
  knobs: SLOT_TIER_KNOBS,
});

const HEADER = '## Pinned (edit with `reflect slots`)';

/** The filled slots, in order, within so many characters; the one that does not fit is cut at a line and marked. */
export function renderSlots(slots: Slot[], maxChars: number): string {
  let text = '';
  for (const { name, content } of slots) {
    if (content.trim() === '') continue;
    const start = text === '' ? HEADER : text;
    const next = `${start}\n### ${name}\n${quoted(content.trim())}`;
    if (next.length > maxChars) return cut(next, start.length, text, name, maxChars);
    text = next;
  }
  return text;
}

function cut(whole: string, from: number, without: string, name: string, maxChars: number): string {
  const note = `\n… (cut: \`reflect slots show ${name}\` has the rest)`;
  const room = whole.slice(0, Math.max(0, maxChars - note.length));
  const end = room.lastIndexOf('\n');
  const heading = from + `\n### ${name}`.length;
  // Where not even one line fits, half a line still says more than none.
  const kept = end > heading ? room.slice(0, end) : room;
  return kept.length > heading + 1 ? kept + note : without;
}
