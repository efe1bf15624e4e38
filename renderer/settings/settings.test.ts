import { describe, expect, test } from 'vitest';
import type { AgentState } from '#contract/agents.ts';
import type { KnobState } from '#contract/settings.ts';
import { DaemonError } from '#contract/errors.ts';
import type { Call } from '#contract/methods.ts';
import { Drafts } from '../drafts.svelte.ts';
import { connectionState } from './agents.svelte.ts';
import { parseKnob, rangeText, valueText } from './knob-value.ts';
import { SettingsState, settingDrafts, TABS, tabsShown } from './settings.svelte.ts';
import { Queries } from '../query/queries.svelte.ts';

const knob = (change: Partial<KnobState> = {}): KnobState => ({
  name: 'RECALL_MMR_LAMBDA',
  type: 'number',
  doc: 'How much variety',
  port: 'diversify.mmr',
  default: 0.7,
  value: 0.7,
  source: 'default',
  min: 0,
  max: 1,
  choices: null,
  perProject: true,
  needsRestart: false,
  awaitsRestart: false,
  ...change,
});

describe('what is typed for a setting', () => {
  test('must be of its type and in its range', () => {
    expect(parseKnob(knob(), '0.5')).toEqual({ ok: true, value: 0.5 });
    expect(parseKnob(knob(), '')).toMatchObject({ problem: /number/ });
    expect(parseKnob(knob(), '2')).toMatchObject({ problem: 'This must be 0 to 1.' });
    expect(parseKnob(knob({ type: 'integer', max: null }), '1.5')).toMatchObject({ problem: /whole/ });
    expect(parseKnob(knob({ type: 'flag' }), true)).toEqual({ ok: true, value: true });
  });

  test('is shown in words', () => {
    expect([true, false, '', null, 3].map(valueText)).toEqual(['on', 'off', 'none', 'none', '3']);
    expect(rangeText({ min: 1, max: null })).toBe('at least 1');
  });
});

function world() {
  const written: unknown[] = [];
  const call = async (method: string, input: { name: string; value: unknown }) => {
    if (method === 'config.list')
      return [
        knob(),
        knob({
          name: 'RECALL_GATE',
          type: 'flag',
          value: true,
          default: true,
          doc: 'Say nothing rather than noise',
          port: 'gate',
        }),
      ];
    if (method === 'ports.list') return [];
    if (input.value === 0.13) throw new DaemonError('bad-knob', 'unlucky');
    written.push(input);
    return {
      ...knob(input.value === null ? {} : { value: input.value, source: 'home' }),
      notices: ['This project sets it too.'],
    };
  };
  const drafts = new Drafts([settingDrafts]);
  return { settings: new SettingsState(new Queries(call as unknown as Call), drafts), written, drafts };
}

describe('the settings', () => {
  test('are found by name, explanation or port', async () => {
    const { settings } = world();
    await settings.load();
    settings.typed = 'noise';
    expect(settings.shown.map(({ name }) => name)).toEqual(['RECALL_GATE']);
    settings.typed = 'mmr';
    expect(settings.groups.map(([port]) => port)).toEqual(['diversify']);
  });

  test('a bad value is refused before it is sent, a refused one after, and both are shown', async () => {
    const { settings, written } = world();
    await settings.load();
    await settings.set(knob(), '7');
    expect(settings.problems['RECALL_MMR_LAMBDA']).toMatch(/0 to 1/);
    await settings.set(knob(), '0.13');
    expect(settings.problems['RECALL_MMR_LAMBDA']).toMatch(/unlucky/);
    expect(written).toEqual([]);
    await settings.set(knob(), '0.4');
    expect(settings.problems).toEqual({});
    expect(settings.shown[0]).toMatchObject({ value: 0.4, source: 'home' });
    expect(settings.notices).toEqual({ RECALL_MMR_LAMBDA: ['This project sets it too.'] });
  });

  test('a field keeps its text until it is saved, reset or discarded', async () => {
    const { settings, drafts } = world();
    await settings.load();
    const type = (typed: string) => drafts.set(settingDrafts, knob().name, { typed, saved: '0.7' });
    const kept = () => drafts.of(settingDrafts, knob().name)?.typed;
    type('7');
    await settings.set(knob(), '7');
    expect(kept()).toBe('7');
    settings.discard(knob());
    expect([kept(), settings.problems]).toEqual([undefined, {}]);
    type('0.4');
    await settings.set(knob(), '0.4');
    expect(kept()).toBeUndefined();
    type('0.5');
    await settings.reset(knob({ value: 0.4 }));
    expect(kept()).toBeUndefined();
  });

  test('putting back restores the default when nothing was set here', async () => {
    const { settings, written } = world();
    await settings.load();
    const before = await settings.set(knob(), '0.4');
    if (before) await settings.putBack(before);
    expect(written.at(-1)).toEqual({ name: 'RECALL_MMR_LAMBDA', value: null });
  });
});

const agent = (...states: AgentState['files'][number]['state'][]): AgentState => ({
  id: 'codex',
  name: 'Codex',
  present: true,
  folder: '/home/ada/.codex',
  files: states.map((state) => ({ file: state, holds: 'hooks', state, problem: null })),
  waitsFor: null,
});

/** A daemon that shows every plan and refuses to write the given action. */
function agentsWorld(refused?: string) {
  const asked: string[] = [];
  const call = async (method: string) => {
    asked.push(method);
    if (method === refused) throw new DaemonError('agent-unchanged', 'config.toml is read-only');
    return method === 'agents.list' ? [agent('in-place')] : { files: [], notes: [method] };
  };
  const drafts = new Drafts([settingDrafts]);
  return { agents: new SettingsState(new Queries(call as unknown as Call), drafts).agents, asked };
}

describe('an agent', () => {
  test('is connected only when all of its files are', () => {
    expect(
      [
        agent('absent', 'absent'),
        agent('in-place', 'in-place'),
        agent('in-place', 'absent'),
        agent('outdated'),
        agent('unreadable', 'absent'),
      ].map(connectionState),
    ).toEqual(['out', 'in', 'between', 'between', 'unreadable']);
  });

  test('is written to after its plan was shown, and not before', async () => {
    const { agents, asked } = agentsWorld();
    expect(await agents.carryOut()).toBe(false);
    await agents.preview(agent('absent'), 'connect');
    expect(asked).toEqual(['agents.preview']);
    expect(await agents.carryOut()).toBe(true);
    expect(asked).toEqual(['agents.preview', 'agents.connect', 'agents.list']);
    expect([agents.plan, agents.done.codex?.notes]).toEqual([null, ['agents.connect']]);
  });

  test('that could not be written to says why until it is tried again', async () => {
    const { agents } = agentsWorld('agents.disconnect');
    await agents.preview(agent('in-place'), 'disconnect');
    expect(await agents.carryOut()).toBe(false);
    expect(agents.problems.codex).toMatch(/read-only/);
    await agents.preview(agent('in-place'), 'disconnect');
    expect(agents.problems.codex).toBeUndefined();
  });
});

test('a search finds topics of every tab and single settings', async () => {
  const { settings } = world();
  await settings.load();
  settings.typed = 'dark';
  expect(settings.topicsFound.map(({ tab }) => tab)).toEqual(['general']);
  expect(settings.shown).toEqual([]);
  settings.typed = 'variety';
  expect(settings.topicsFound).toEqual([]);
  expect(settings.shown.map(({ name }) => name)).toEqual(['RECALL_MMR_LAMBDA']);
});

test('advanced tabs are listed when they are wanted, or while a link shows one', () => {
  expect(tabsShown(false, 'general')).not.toContain('ports');
  expect(tabsShown(false, 'ports')).toContain('ports');
  expect(tabsShown(true, 'general')).toEqual([...TABS]);
});
