import { framed } from '../recall/inject/injection.ts';
import { expect, test } from 'vitest';
import { BILLING, sessionStart } from '../testing/session-start.ts';
import { temporaryHome } from '../testing/running-daemon.ts';
import { NOW } from '../testing/world.ts';
import { inject } from '../recall/inject/inject.ts';
import { appendToSlot, configureSlot, replaceSlot, type SlotParts } from './slots.ts';

async function session() {
  const { parts, skills, cwd } = await sessionStart([]);
  const slots: SlotParts = { db: parts.db, now: () => NOW };
  const start = async (knobs: Record<string, unknown> = {}, from = cwd) =>
    (await inject({ ...parts, skills }, { cwd: from, knobs })).text;
  return { slots, project: BILLING, start };
}

test('A1: a pinned slot keeps its edits and is injected with the knob on', async () => {
  const { slots, project, start } = await session();
  const key = { project, name: 'guidance' };
  replaceSlot(slots, key, 'Run make fmt', 'test');
  appendToSlot(slots, key, 'Ask before a push', 'test');
  replaceSlot(slots, { project, name: 'persona' }, 'Ada, at home in SQL', 'test');
  expect(await start({ REFLECT_SLOTS: true })).toBe(
    framed(
      '## Pinned (edit with `reflect slots`)\n### persona\n> Ada, at home in SQL\n### guidance\n> Run make fmt\n> Ask before a push',
    ),
  );
  // persona is global, guidance is not
  expect(await start({}, temporaryHome())).toBe(
    framed('## Pinned (edit with `reflect slots`)\n### persona\n> Ada, at home in SQL'),
  );
});

test('A1: the same slot is not injected with the knob off', async () => {
  const { slots, project, start } = await session();
  replaceSlot(slots, { project, name: 'guidance' }, 'Run make fmt', 'test');
  expect(await start({ REFLECT_SLOTS: false })).toBe('');
});

test('A1: a read-only slot rejects the edit, and the rejected text is not injected', async () => {
  const { slots, project, start } = await session();
  const key = { project, name: 'guidance' };
  configureSlot(slots, key, { readOnly: true }, 'test');
  expect(() => appendToSlot(slots, key, 'Run make fmt', 'test')).toThrow(/locked/);
  expect(() => replaceSlot(slots, key, 'Run make fmt', 'test')).toThrow(/locked/);
  expect(await start({ REFLECT_SLOTS: true })).toBe('');
});

test('A1: slots take no more than their budget, and say what was cut', async () => {
  const { slots, project, start } = await session();
  for (const name of ['project_context', 'guidance', 'pending_items'])
    replaceSlot(slots, { project, name }, `${'x'.repeat(99)}\n`.repeat(15).trim(), 'test');
  const text = await start();
  expect(text.length).toBeLessThanOrEqual(framed(' ').length + 4_000);
  expect(text.length).toBeGreaterThan(3_800);
  expect(text).toMatch(/\n> x+\n… \(cut: `reflect slots show pending_items` has the rest\)$/);
});
