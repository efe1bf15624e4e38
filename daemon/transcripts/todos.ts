import { type Fields, isFields, list, text } from './fields.ts';

export interface TodoItem {
  text: string;
  state: string;
}

const LISTING = /^(?:todo_?write|write_todos|update_plan|update_todo|todo_?list)$/i;

/** The items a call writes down, when its tool keeps a to-do list. */
export function todosIn(tool: string, input: unknown): TodoItem[] | null {
  if (!LISTING.test(tool) || !isFields(input)) return null;
  const written = text(input, 'todos', 'plan');
  if (written) return checklist(written);
  return list(input, 'todos', 'plan', 'items')
    .map(itemOf)
    .filter((item) => item.text !== '');
}

const itemOf = (item: Fields): TodoItem => ({
  text: text(item, 'content', 'text', 'step', 'description', 'title', 'subject'),
  state: todoState(text(item, 'status', 'state')),
});

/** pending, in_progress or completed, whatever the agent calls it. */
export function todoState(written: string): string {
  if (/^(?:x|completed?|done)$/i.test(written)) return 'completed';
  return /^(?:~|-|in[_ -]?progress|active)$/i.test(written) ? 'in_progress' : 'pending';
}

/** A list written as `- [x] item` or `1. [completed] item` lines. */
function checklist(written: string): TodoItem[] {
  const lines = written.matchAll(/^\s*(?:[-*]|\d+\.)\s+\[([^\]]*)\]\s+(.+)$/gm);
  return [...lines].map(([, mark = '', item = '']) => ({ text: item.trim(), state: todoState(mark.trim()) }));
}
