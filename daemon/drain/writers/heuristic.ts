import type { NoteInput } from '#contract/entities.ts';
import { categoryIn, typeIn } from '../modes/mode.ts';
import { proseOf } from '../prose.ts';
import type { DrainedWindow, Writer } from '../writer.ts';
import { nameEntities, nameTags } from './mentions.ts';
import { asRule, bestDirective, sentences } from './sentences.ts';

const LONGEST_TITLE = 110;

/** Writes notes from the words themselves, with no model that could invent any: the default (A5). */
export const heuristic: Writer = {
  name: 'heuristic',
  async write(window, mode): Promise<NoteInput | null> {
    const lesson = bestDirective(window.quote) ?? asRule(sentences(window.quote)[0] ?? '');
    if (lesson.length < 8) return null;
    const reply = replyAfter(window);
    const restated = reply ? bestDirective(reply) : null;
    const said = [window.quote, reply ?? ''].join('\n');
    const category = categoryIn(mode, said);
    const tags = nameTags(said);
    const note = {
      title: shorten(lesson, LONGEST_TITLE),
      type: typeIn(mode, window.type),
      category,
      tags: tags.length > 0 ? tags : [category],
      confidence: confidenceOf(window),
      problem: problemOf(window),
      fix: restated ?? lesson,
      rule: lesson,
      body: bodyOf(window, reply),
      scope: window.project === '' ? 'global' as const : 'project' as const,
      metadata: { compression: 'synthetic' },
    };
    // Of the note, not of the window: what was cut away is not what it is about.
    const entities = nameEntities(proseOf(note));
    return {
      ...note,
      entities,
      relations: entities.slice(1).map(({ name }) => ({ source: entities[0]?.name ?? name, target: name, type: 'relates_to' as const, strength: 3 })),
    };
  },
};

/** Evidence, not eloquence: what the person did and how the agent reacted. */
function confidenceOf({ score, why }: DrainedWindow): number {
  const base = Math.min(0.75, 0.4 + 0.07 * score);
  return Math.round((why.includes('the agent agreed') ? base + 0.1 : base) * 100) / 100;
}

function replyAfter({ turns }: DrainedWindow): string | null {
  const trigger = turns.findIndex((turn) => turn.trigger);
  return turns.slice(trigger + 1).find(({ role }) => role === 'agent')?.text ?? null;
}

/** What the agent had done: its last words before it was corrected, else its last action. */
function problemOf({ turns }: DrainedWindow): string {
  const before = turns.slice(0, turns.findIndex((turn) => turn.trigger));
  const said = before.findLast(({ role }) => role === 'agent')?.text;
  const did = before.findLast(({ role }) => role === 'tool')?.text;
  const source = said ? sentences(said).at(-1) ?? said : did ? `The agent ran ${did}` : '';
  return shorten(source, 300);
}

function bodyOf({ quote, why }: DrainedWindow, reply: string | null): string {
  const quoted = shorten(quote, 600).replace(/^/gm, '> ');
  const answer = reply ? `\n\nThe agent answered: ${shorten(sentences(reply).slice(0, 2).join(' '), 300)}` : '';
  return `${quoted}${answer}\n\nKept because the message ${why.join(', ')}.`;
}

function shorten(text: string, longest: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), longest / 2)).replace(/[,;:–—-]+$/, '')}…`;
}
