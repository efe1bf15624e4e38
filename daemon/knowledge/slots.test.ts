import { describe, expect, test } from 'vitest';
import { memoryStore } from '../testing/temp-home.ts';
import { rememberProject } from '../store/learnings/learnings.ts';
import { findSlot, slotHistory } from '../store/learnings/slots.ts';
import { openProposals, proposeSlots, writeAsAgent } from './slot-proposals.ts';
import {
  allSlots,
  appendToSlot,
  configureSlot,
  createSlot,
  getSlot,
  orderSlots,
  removeSlot,
  replaceSlot,
  type SlotParts,
  slotsOf,
  undoSlotChange,
} from './slots.ts';

const BILLING = 'github.com/acme/billing';
const guidance = { project: BILLING, name: 'guidance' };
const own = {
  project: BILLING,
  name: 'runbook',
  content: '',
  description: 'When it burns',
  sizeLimit: 20,
  readOnly: false,
};

function world() {
  let time = 100;
  const parts: SlotParts = { db: memoryStore(), now: () => time++ };
  return { parts, db: parts.db };
}

describe('listing', () => {
  test('every project has the eight usual slots, without a row', () => {
    const { db } = world();
    expect(slotsOf(db, BILLING).map(({ name, project, sizeLimit }) => [name, project, sizeLimit])).toEqual([
      ['persona', '', 1000],
      ['user_preferences', '', 2000],
      ['tool_guidelines', '', 1500],
      ['project_context', BILLING, 3000],
      ['guidance', BILLING, 1500],
      ['pending_items', BILLING, 2000],
      ['session_patterns', BILLING, 1500],
      ['self_notes', BILLING, 1500],
    ]);
    expect(slotsOf(db, '')).toHaveLength(3);
    expect(findSlot(db, BILLING, 'guidance')).toBeNull();
  });

  test('the list of all slots has those of every known project', () => {
    const { db } = world();
    rememberProject(db, { id: BILLING, name: 'billing', root: '' }, 1);
    expect(allSlots(db)).toHaveLength(8);
  });

  test("a project's own slot hides the global one of its name, there and nowhere else", () => {
    const { parts, db } = world();
    replaceSlot(parts, { project: BILLING, name: 'persona' }, 'everywhere', 'test');
    expect(findSlot(db, '', 'persona')?.content).toBe('everywhere');
    createSlot(parts, { ...own, name: 'persona', content: 'only here' }, 'test');
    expect(
      slotsOf(db, BILLING)
        .filter(({ name }) => name === 'persona')
        .map(({ content }) => content),
    ).toEqual(['only here']);
    expect(getSlot(db, { project: 'github.com/acme/shop', name: 'persona' }).content).toBe('everywhere');
    expect(() => getSlot(db, { project: BILLING, name: 'nowhere' })).toThrow(/reflect slots create nowhere/);
  });
});

describe('edits', () => {
  test('append joins with a new line and refuses text that does not fit', () => {
    const { parts, db } = world();
    createSlot(parts, own, 'test');
    appendToSlot(parts, own, 'Page Ada', 'test');
    expect(appendToSlot(parts, own, 'Roll back', 'test').content).toBe('Page Ada\nRoll back');
    expect(() => appendToSlot(parts, own, 'and more', 'test')).toThrow(/use replace to compact first/);
    expect(() => replaceSlot(parts, own, 'x'.repeat(21), 'test')).toThrow(/holds 20 characters, not 21/);
    expect(() => configureSlot(parts, own, { sizeLimit: 5 }, 'test')).toThrow(/holds 5 characters/);
    expect(getSlot(db, own).content).toBe('Page Ada\nRoll back');
  });

  test('a slot can be created once, and not over a usual one', () => {
    const { parts } = world();
    createSlot(parts, own, 'test');
    expect(() => createSlot(parts, own, 'test')).toThrow(/already exists/);
    expect(() => createSlot(parts, { ...own, name: 'guidance' }, 'test')).toThrow(/already exists/);
    expect(() => createSlot(parts, { ...own, name: 'other', content: 'x'.repeat(21) }, 'test')).toThrow(
      /holds 20/,
    );
  });

  test('remove empties a slot and keeps its row; one that a person created can be deleted', () => {
    const { parts, db } = world();
    replaceSlot(parts, guidance, 'Run make fmt', 'test');
    removeSlot(parts, guidance, false, 'test');
    expect(findSlot(db, BILLING, 'guidance')).toMatchObject({ content: '', sizeLimit: 1500 });
    expect(() => removeSlot(parts, guidance, true, 'test')).toThrow(/emptied, not removed/);
    createSlot(parts, own, 'test');
    removeSlot(parts, own, true, 'test');
    expect(findSlot(db, BILLING, 'runbook')).toBeNull();
  });

  test('a locked slot refuses all but unlocking', () => {
    const { parts, db } = world();
    createSlot(parts, { ...own, content: 'as is', readOnly: true }, 'test');
    const edits = [
      () => appendToSlot(parts, own, 'x', 'test'),
      () => replaceSlot(parts, own, 'x', 'test'),
      () => removeSlot(parts, own, false, 'test'),
      () => removeSlot(parts, own, true, 'test'),
      () => configureSlot(parts, own, { sizeLimit: 100 }, 'test'),
    ];
    for (const edit of edits) expect(edit).toThrow(/locked/);
    expect(getSlot(db, own).content).toBe('as is');
    configureSlot(parts, own, { readOnly: false }, 'test');
    expect(replaceSlot(parts, own, 'open', 'test').content).toBe('open');
  });

  test('slots are in the chosen order, the rest after', () => {
    const { parts, db } = world();
    createSlot(parts, own, 'test');
    expect(
      orderSlots(parts, BILLING, ['runbook', 'guidance'], 'test')
        .map(({ name }) => name)
        .slice(0, 3),
    ).toEqual(['runbook', 'guidance', 'persona']);
    expect(() => orderSlots(parts, BILLING, ['nowhere'], 'test')).toThrow(/No slot “nowhere”/);
    expect(slotsOf(db, 'github.com/acme/shop').map(({ name }) => name)[0]).toBe('persona');
  });
});

describe('the history', () => {
  test('says who did what when, with the text before and after, and undoes it', () => {
    const { parts, db } = world();
    replaceSlot(parts, guidance, 'first', 'ada');
    appendToSlot(parts, guidance, 'second', 'codex');
    const [second, first] = slotHistory(db, BILLING, 'guidance');
    expect(second).toMatchObject({
      actor: 'codex',
      kind: 'append',
      before: { content: 'first' },
      after: { content: 'first\nsecond' },
      undone: false,
    });
    expect(first).toMatchObject({ actor: 'ada', before: null });
    expect(() => undoSlotChange(parts, first?.id ?? 0, 'ada')).toThrow(/edited since/);
    expect(undoSlotChange(parts, second?.id ?? 0, 'ada').undone).toBe(true);
    expect(() => undoSlotChange(parts, second?.id ?? 0, 'ada')).toThrow(/already undone/);
    undoSlotChange(parts, first?.id ?? 0, 'ada');
    expect(findSlot(db, BILLING, 'guidance')).toBeNull();
    expect(slotHistory(db, BILLING, 'guidance')).toHaveLength(4);
  });

  test('a slot removed for good can be brought back', () => {
    const { parts, db } = world();
    createSlot(parts, { ...own, content: 'Page Ada' }, 'test');
    removeSlot(parts, own, true, 'test');
    undoSlotChange(parts, slotHistory(db, BILLING, 'runbook')[0]?.id ?? 0, 'test');
    expect(getSlot(db, own).content).toBe('Page Ada');
  });
});

test('an agent that proposes edits without end leaves room for the slots of an archive', () => {
  const { parts } = world();
  const edit = (text: string) =>
    writeAsAgent(parts, { project: '', name: 'persona', kind: 'append', text, own: BILLING, actor: 'agent' });
  for (let index = 0; index < 30; index++) edit(`Line ${index}`);
  expect(() => edit('One more')).toThrow(/wait for a person already/);
  proposeSlots(parts, [{ project: '', name: 'guidance', content: 'From an archive' }], 'team.tar');
  expect(openProposals(parts).at(-1)).toMatchObject({ text: 'From an archive' });
});
