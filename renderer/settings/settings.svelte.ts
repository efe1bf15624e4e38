import type { KnobState, PortState } from '#contract/entities.ts';
import type { Call, Output } from '#contract/methods.ts';
import type { ClientEvent } from '../daemon.ts';
import { settingsWords } from './words.ts';
import { afterQuiet } from '../ui/delay.ts';
import { asError, Resource } from '../ui/resource.svelte.ts';
import { AgentsState } from './agents.svelte.ts';
import { parseKnob } from './knob-value.ts';

export const TABS = ['knobs', 'agents', 'models', 'privacy', 'ports', 'look'] as const;
export type SettingsTab = (typeof TABS)[number];
const SEARCHED: readonly SettingsTab[] = ['knobs', 'ports'];

/** What decides about people's words, wherever its port is. */
const PRIVACY = {
  read: ['REFLECT_CAPTURE', 'REFLECT_TRANSCRIPT_FOLDERS'],
  sent: [
    'REFLECT_WRITER',
    'REFLECT_WRITER_COMMAND',
    'REFLECT_WRITER_ENDPOINT',
    'REFLECT_WRITER_KEY_VARIABLE',
    'REFLECT_SYNTHESIS_WRITER',
  ],
} as const;
const PRIVACY_GROUPS = ['read', 'sent'] as const;

const contains = (text: string, typed: string) =>
  typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));

/** Every setting, the ports they belong to, and what is wrong with what was typed. */
export class SettingsState {
  readonly #call: Call;
  readonly knobs = new Resource<KnobState[]>();
  readonly ports = new Resource<PortState[]>();
  readonly scan = new Resource<Output<'privacy.scan'>>();
  readonly agents: AgentsState;
  tab = $state<SettingsTab>('knobs');
  typed = $state('');
  onlyChanged = $state(false);
  problems = $state.raw<Readonly<Record<string, string>>>({});
  readonly #refreshSoon = afterQuiet(150, () => void this.load());

  constructor(call: Call) {
    this.#call = call;
    this.agents = new AgentsState(call);
  }

  readonly shown = $derived(
    (this.knobs.value ?? []).filter(
      (knob) =>
        contains(`${knob.name} ${knob.doc} ${knob.port}`, this.typed.trim()) &&
        (!this.onlyChanged || knob.source !== 'default'),
    ),
  );
  readonly groups = $derived([
    ...Map.groupBy(this.shown, ({ port }) => port.split('.')[0] || settingsWords.general),
  ]);
  readonly shownPorts = $derived(
    (this.ports.value ?? []).filter(({ seed, what, knobs }) =>
      contains(`${seed} ${what} ${knobs.map(({ name }) => name).join(' ')}`, this.typed.trim()),
    ),
  );

  readonly privacyGroups = $derived(
    PRIVACY_GROUPS.map(
      (group) =>
        [
          group,
          PRIVACY[group].flatMap((name) => this.knobs.value?.find((knob) => knob.name === name) ?? []),
        ] as const,
    ),
  );

  /** What is typed is looked for where it can be found. */
  search(typed: string): void {
    this.typed = typed;
    if (!SEARCHED.includes(this.tab)) this.tab = 'knobs';
  }

  scanNow(): Promise<void> {
    return this.scan.load(() => this.#call('privacy.scan', {}));
  }

  async load(): Promise<void> {
    await Promise.all([
      this.knobs.load(() => this.#call('config.list', {})),
      this.ports.load(() => this.#call('ports.list', {})),
    ]);
  }

  /** Checks what was typed and sets it; returns the setting as it was, so that it can be put back. */
  async set(knob: KnobState, typed: string | boolean): Promise<KnobState | null> {
    const parsed = parseKnob(knob, typed);
    if (!parsed.ok) {
      this.problems = { ...this.problems, [knob.name]: parsed.problem };
      return null;
    }
    return Object.is(parsed.value, knob.value)
      ? this.#forgetProblem(knob.name)
      : this.#write(knob, parsed.value);
  }

  reset(knob: KnobState): Promise<KnobState | null> {
    return this.#write(knob, null);
  }

  /** Puts a setting back as it was: to its value if it was set here, to its default if not. */
  async putBack(before: KnobState): Promise<void> {
    await this.#write(before, before.source === 'home' ? before.value : null);
  }

  onEvent({ type }: ClientEvent): void {
    if (this.knobs.value && (type === 'settings.changed' || type === 'reconnected')) this.#refreshSoon();
  }

  async #write(knob: KnobState, value: unknown): Promise<KnobState | null> {
    try {
      const saved = await this.#call('config.set', { name: knob.name, value });
      this.#forgetProblem(knob.name);
      this.knobs.value = (this.knobs.value ?? []).map((other) => (other.name === saved.name ? saved : other));
      return knob;
    } catch (error) {
      this.problems = { ...this.problems, [knob.name]: asError(error).message };
      return null;
    }
  }

  #forgetProblem(name: string): null {
    this.problems = Object.fromEntries(Object.entries(this.problems).filter(([other]) => other !== name));
    return null;
  }
}
