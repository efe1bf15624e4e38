import { flag } from '../../ports/knob.ts';
import { type Lesson, signal } from '../port.ts';
import type { TranscriptEvent } from '../../transcripts/adapter.ts';
import { filesChangedBy, listFiles } from '../tool-use.ts';

interface Task {
  state: string;
  since: number;
  files: Set<string>;
}

const DONE = /^(?:completed|done|finished)$/i;
const STARTED = /progress|active|doing/i;

export const todoCompletion = signal({
  id: 'signal.todo-completion',
  seeds: ['SG7'],
  // Off by default: of its 20 notes on 35 labelled sessions none was worth keeping. It is for those who want a log of
  // work.
  doc: 'Keeps a note of every to-do an agent completes, with how long it took and what it touched; off because such notes rarely help later.',
  switch: flag('REFLECT_SIGNAL_TODO', false, 'Keep notes of completed to-dos'),
  knobs: {},
  start() {
    const tasks = new Map<string, Task>();
    return {
      see(event): Lesson[] {
        if (event.kind === 'tool_call') {
          const files = filesChangedBy(event);
          for (const task of tasks.values())
            if (STARTED.test(task.state)) files.forEach((file) => task.files.add(file));
        }
        if (event.kind !== 'todo') return [];
        return event.items.flatMap(({ text, state }) => {
          const before = tasks.get(text);
          const isOngoing = before && STARTED.test(before.state) && STARTED.test(state);
          if (!isOngoing) tasks.set(text, { state, since: event.at, files: new Set() });
          return before && !DONE.test(before.state) && DONE.test(state) ? [lesson(event, text, before)] : [];
        });
      },
    };
  },
});

function lesson(trigger: TranscriptEvent, text: string, { since, files }: Task): Lesson {
  const minutes = Math.max(1, Math.round((trigger.at - since) / 60_000));
  const touched = files.size > 0 ? `, changing ${listFiles(files, trigger.cwd)}` : '';
  return {
    sees: 'lesson',
    type: 'process',
    trigger,
    quote: `Completed: ${text} (in ${minutes} min${touched}).`,
    score: 0.3,
    why: ['a to-do was completed'],
    speculative: true,
  };
}
