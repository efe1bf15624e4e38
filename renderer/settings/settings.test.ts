import { describe, expect, test } from 'vitest';
import type { KnobState } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import type { Call } from '#contract/methods.ts';
import { parseKnob, rangeText, valueText } from './knob-value.ts';
import { SettingsState } from './settings.svelte.ts';

const knob = (change: Partial<KnobState> = {}): KnobState => ({
  name: 'RECALL_MMR_LAMBDA', type: 'number', doc: 'How much variety', port: 'diversify.mmr', default: 0.7, value: 0.7, source: 'default', min: 0, max: 1, choices: null, ...change,
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
    if (method === 'config.list') return [knob(), knob({ name: 'RECALL_GATE', type: 'flag', value: true, default: true, doc: 'Say nothing rather than noise', port: 'gate' })];
    if (method === 'ports.list') return [];
    if (input.value === 0.13) throw new DaemonError('bad-knob', 'unlucky');
    written.push(input);
    return knob(input.value === null ? {} : { value: input.value, source: 'home' });
  };
  return { settings: new SettingsState(call as unknown as Call), written };
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

  test('a bad value is refused before it is sent, a refused one after, and both are told', async () => {
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
  });

  test('putting back restores the default when nothing was set here', async () => {
    const { settings, written } = world();
    await settings.load();
    const before = await settings.set(knob(), '0.4');
    if (before) await settings.putBack(before);
    expect(written.at(-1)).toEqual({ name: 'RECALL_MMR_LAMBDA', value: null });
  });
});
