import type { Note, NoteInput } from '#contract/entities.ts';

/** The writes a kill interrupts, and each place where it can. */
export const WRITES = { create: 'create', update: 'update', move: 'move', forget: 'forget' } as const;
export const STEPS = [
  'row written',
  'row committed',
  'markdown written',
  'sidecar written',
  'old files removed',
  'outbox emptied',
] as const;

export const BEFORE: NoteInput = {
  title: 'Run the tests with vitest',
  rule: 'Never jest.',
  project: 'github.com/acme/shop',
  branch: 'feature/tax',
  tags: ['tests'],
  entities: [{ name: 'vitest', type: 'tool' }],
  body: 'Because of ESM.',
};

const ANOTHER = [{ name: 'pnpm', type: 'tool', description: '' }] satisfies Note['entities'];

export const AFTER: Record<string, Partial<Note>> = {
  update: { rule: 'Never jest, never mocha.', entities: ANOTHER },
  move: { project: 'github.com/acme/billing', branch: null, entities: ANOTHER },
  forget: { status: 'forgotten', rule: 'Never mind.' },
};
