import { isDeepStrictEqual } from 'node:util';
import type { Slot, SlotChange } from '#contract/slots.ts';
import { DaemonError } from '#contract/errors.ts';
import type { ReadableDb, WritableDb } from '../store/db.ts';
import { listProjects } from '../store/learnings/learnings.ts';
import {
  deleteSlot,
  findSlot,
  getSlotChange,
  markSlotChangeUndone,
  putSlot,
  recordSlotChange,
  storedSlots,
} from '../store/learnings/slots.ts';

interface UsualSlot {
  name: string;
  global: boolean;
  sizeLimit: number;
  description: string;
}

/** The slots every project starts with, in this order; a row is created on the first write. */
const USUAL_SLOTS: readonly UsualSlot[] = [
  { name: 'persona', global: true, sizeLimit: 1_000, description: 'Who the agent works with' },
  {
    name: 'user_preferences',
    global: true,
    sizeLimit: 2_000,
    description: 'How answers and changes should look',
  },
  {
    name: 'tool_guidelines',
    global: true,
    sizeLimit: 1_500,
    description: 'Which tools to reach for, and how',
  },
  { name: 'project_context', global: false, sizeLimit: 3_000, description: 'What this repository is' },
  { name: 'guidance', global: false, sizeLimit: 1_500, description: 'What to mind on every task here' },
  { name: 'pending_items', global: false, sizeLimit: 2_000, description: 'Begun and not finished' },
  { name: 'session_patterns', global: false, sizeLimit: 1_500, description: 'What sessions here keep doing' },
  { name: 'self_notes', global: false, sizeLimit: 1_500, description: 'What the agent wants to remember' },
];

export interface SlotKey {
  project: string;
  name: string;
}

export interface SlotParts {
  db: WritableDb;
  now: () => number;
}

const usual = (name: string, global: boolean) =>
  USUAL_SLOTS.find((slot) => slot.name === name && slot.global === global);
const keyOf = ({ project, name }: SlotKey) => `${project}\n${name}`;

function emptySlot({ name, sizeLimit, description }: UsualSlot, project: string): Slot {
  return { project, name, content: '', description, sizeLimit, readOnly: false, updatedAt: 0, position: 0 };
}

/** Without a position, the usual slots keep their order and a person's own come after. */
function inOrder(slots: Slot[]): Slot[] {
  const place = ({ name, position }: Slot) =>
    position || USUAL_SLOTS.findIndex((slot) => slot.name === name) + 1 || Number.MAX_SAFE_INTEGER;
  return slots.toSorted((a, b) => place(a) - place(b) || Number(b.project === '') - Number(a.project === ''));
}

/** The slots as a project's sessions see them: one of each name, the project's own before the global one. */
export function slotsOf(db: ReadableDb, project: string): Slot[] {
  const stored = storedSlots(db, project);
  const seen = new Map(stored.filter((slot) => slot.project === '').map((slot) => [slot.name, slot]));
  for (const slot of stored) if (slot.project !== '') seen.set(slot.name, slot);
  for (const slot of USUAL_SLOTS) {
    if (!seen.has(slot.name) && (slot.global || project !== ''))
      seen.set(slot.name, emptySlot(slot, slot.global ? '' : project));
  }
  return inOrder([...seen.values()]);
}

/** Every slot of every known project, for the slots screen. */
export function allSlots(db: ReadableDb): Slot[] {
  const stored = storedSlots(db, undefined);
  const projects = new Set([
    '',
    ...listProjects(db).map(({ id }) => id),
    ...stored.map(({ project }) => project),
  ]);
  const slots = new Map(stored.map((slot) => [keyOf(slot), slot]));
  for (const project of projects) {
    for (const slot of USUAL_SLOTS.filter(({ global }) => global === (project === ''))) {
      const key = keyOf({ project, name: slot.name });
      if (!slots.has(key)) slots.set(key, emptySlot(slot, project));
    }
  }
  return inOrder([...slots.values()]);
}

/** The slot this name means in a project: its own, else the global one, else a usual one that is still empty. */
export function getSlot(db: ReadableDb, { project, name }: SlotKey): Slot {
  const stored = findSlot(db, project, name) ?? findSlot(db, '', name);
  if (stored) return stored;
  if (project !== '') {
    const own = usual(name, false);
    if (own) return emptySlot(own, project);
  }
  const global = usual(name, true);
  if (!global) throw new DaemonError('not-found', `slot ${name}; \`reflect slots create ${name}\` makes it`);
  return emptySlot(global, '');
}

export function createSlot(
  parts: SlotParts,
  slot: Pick<Slot, 'project' | 'name' | 'content' | 'description' | 'sizeLimit' | 'readOnly'>,
  actor: string,
): Slot {
  const { db, now } = parts;
  if (findSlot(db, slot.project, slot.name) || usual(slot.name, slot.project === ''))
    throw new DaemonError('conflict', `slot ${slot.name} already exists`);
  refuseOverflow(slot, slot.content);
  const after: Slot = { ...slot, updatedAt: now(), position: 0 };
  save(parts, { actor, kind: 'create', before: null, after });
  return after;
}

export function appendToSlot(parts: SlotParts, key: SlotKey, text: string, actor: string): Slot {
  return edit(parts, key, 'append', actor, (slot) => {
    const content = slot.content === '' ? text : `${slot.content}\n${text}`;
    refuseOverflow(slot, content, ': use replace to compact first');
    return { content };
  });
}

export function replaceSlot(parts: SlotParts, key: SlotKey, content: string, actor: string): Slot {
  return edit(parts, key, 'replace', actor, (slot) => {
    refuseOverflow(slot, content);
    return { content };
  });
}

/** Empties a slot and keeps its row; `forGood` deletes a slot that is not one of the usual ones. */
export function removeSlot(parts: SlotParts, key: SlotKey, forGood: boolean, actor: string): void {
  if (!forGood) {
    edit(parts, key, 'empty', actor, () => ({ content: '' }));
    return;
  }
  const slot = getSlot(parts.db, key);
  refuseLocked(slot);
  if (usual(slot.name, slot.project === ''))
    throw new DaemonError(
      'bad-input',
      `slot ${slot.name} is one of the usual ones; it can be emptied, not removed`,
    );
  save(parts, { actor, kind: 'remove', before: slot, after: null });
}

export function configureSlot(
  parts: SlotParts,
  key: SlotKey,
  patch: { readOnly?: boolean | undefined; description?: string | undefined; sizeLimit?: number | undefined },
  actor: string,
): Slot {
  return edit(
    parts,
    key,
    'configure',
    actor,
    (slot) => {
      const sizeLimit = patch.sizeLimit ?? slot.sizeLimit;
      refuseOverflow({ ...slot, sizeLimit }, slot.content);
      return {
        sizeLimit,
        readOnly: patch.readOnly ?? slot.readOnly,
        description: patch.description ?? slot.description,
      };
    },
    { unlocks: patch.readOnly === false },
  );
}

/**
 * Orders all slots of a project: first those named, then the rest in their old order. A global slot has one position
 * everywhere.
 */
export function orderSlots(parts: SlotParts, project: string, names: string[], actor: string): Slot[] {
  const { db } = parts;
  const slots = new Map(slotsOf(db, project).map((slot) => [slot.name, slot]));
  const unknown = names.find((name) => !slots.has(name));
  if (unknown) throw new DaemonError('not-found', `slot ${unknown}`);
  const ordered = new Set([...names, ...slots.keys()]);
  db.transaction(() => {
    [...ordered].forEach((name, index) => {
      const slot = slots.get(name);
      if (slot && slot.position !== index + 1)
        save(parts, {
          actor,
          kind: 'order',
          before: findSlot(db, slot.project, name),
          after: { ...slot, position: index + 1 },
        });
    });
  })();
  return slotsOf(db, project);
}

/** Undoes an edit, unless the slot was edited again since. */
export function undoSlotChange(parts: SlotParts, id: number, actor: string): SlotChange {
  const { db } = parts;
  const change = getSlotChange(db, id);
  if (change.undone) throw new DaemonError('conflict', `slot change ${id} is already undone`);
  const now = findSlot(db, change.project, change.name);
  if (!isDeepStrictEqual(now, change.after))
    throw new DaemonError('conflict', `slot ${change.name} was edited since; undo the newest edit first`);
  // A lock can be undone, an edit of a locked slot cannot.
  if (now && change.kind !== 'configure') refuseLocked(now);
  db.transaction(() =>
    markSlotChangeUndone(db, id, save(parts, { actor, kind: 'undo', before: now, after: change.before })),
  )();
  return getSlotChange(db, id);
}

function edit(
  parts: SlotParts,
  key: SlotKey,
  kind: SlotChange['kind'],
  actor: string,
  change: (slot: Slot) => Partial<Slot>,
  { unlocks = false } = {},
): Slot {
  const { db, now } = parts;
  const slot = getSlot(db, key);
  if (!unlocks) refuseLocked(slot);
  const after: Slot = { ...slot, ...change(slot), updatedAt: now() };
  save(parts, { actor, kind, before: findSlot(db, slot.project, slot.name), after });
  return after;
}

function save(
  { db, now }: SlotParts,
  change: Pick<SlotChange, 'actor' | 'kind' | 'before' | 'after'>,
): number {
  const { project, name } = (change.after ?? change.before) as Slot; // at least one of the two is set
  return db.transaction(() => {
    if (change.after) putSlot(db, change.after);
    else deleteSlot(db, { project, name });
    return recordSlotChange(db, { at: now(), project, name, ...change });
  })();
}

function refuseLocked({ name, readOnly }: Slot): void {
  if (readOnly)
    throw new DaemonError('read-only', `slot ${name} is locked; \`reflect slots unlock ${name}\` unlocks it`);
}

function refuseOverflow(
  { name, sizeLimit }: Pick<Slot, 'name' | 'sizeLimit'>,
  content: string,
  advice = '',
): void {
  if (content.length > sizeLimit)
    throw new DaemonError(
      'bad-input',
      `slot ${name} holds ${sizeLimit} characters, not ${content.length}${advice}`,
    );
}
