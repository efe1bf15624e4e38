import type { KnobState } from '#contract/settings.ts';
import { type Drafts, fieldDrafts } from '../drafts.svelte.ts';
import type { Queries, Resource, Scope } from '../query/queries.svelte.ts';
import { settingsWords } from './words.ts';
import { asError } from '../ui/error.ts';
import { AgentsState } from './agents.svelte.ts';
import { parseKnob } from './knob-value.ts';

const MAIN_TABS = ['general', 'status', 'agents', 'models', 'privacy', 'keyboard'] as const;
/** Listed when Advanced is on, or while a link has opened one of them. */
const ADVANCED_TABS = ['judge', 'knobs', 'ports'] as const;
export const TABS = [...MAIN_TABS, ...ADVANCED_TABS] as const;
export type SettingsTab = (typeof TABS)[number];

export const tabsShown = (isAdvanced: boolean, open: SettingsTab): SettingsTab[] =>
  TABS.filter((tab) => isAdvanced || tab === open || (MAIN_TABS as readonly string[]).includes(tab));

/** Settings that decide about people's words, whatever port they belong to. */
const PRIVACY = {
  read: ['REFLECT_CAPTURE', 'REFLECT_IGNORE', 'REFLECT_TRANSCRIPT_FOLDERS'],
  sent: [
    'REFLECT_WRITER',
    'REFLECT_WRITER_COMMAND',
    'REFLECT_WRITER_ENDPOINT',
    'REFLECT_WRITER_KEY_VARIABLE',
    'REFLECT_SYNTHESIS_WRITER',
  ],
} as const;
const PRIVACY_GROUPS = ['read', 'sent'] as const;

export const settingDrafts = fieldDrafts('setting');

const contains = (text: string, typed: string) =>
  typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));

/** Every setting, the ports they belong to, and what is wrong with what was typed. */
export class SettingsState {
  readonly #scope: Scope;
  readonly #drafts: Drafts;
  readonly knobs: Resource<'config.list'>;
  readonly ports: Resource<'ports.list'>;
  readonly scan: Resource<'privacy.scan'>;
  readonly agents: AgentsState;
  tab = $state<SettingsTab>('general');
  typed = $state('');
  onlyChanged = $state(false);
  problems = $state.raw<Readonly<Record<string, string>>>({});
  /** Replies of the daemon to the last value that was set, by setting. */
  notices = $state.raw<Readonly<Record<string, readonly string[]>>>({});

  constructor(queries: Queries, drafts: Drafts) {
    this.#scope = queries.scope('settings');
    this.#drafts = drafts;
    this.knobs = this.#scope.resource('config.list');
    this.ports = this.#scope.resource('ports.list');
    this.scan = this.#scope.resource('privacy.scan');
    this.agents = new AgentsState(this.#scope);
  }

  readonly shown = $derived.by(() =>
    (this.knobs.value ?? []).filter(
      (knob) =>
        contains(`${knob.name} ${knob.doc} ${knob.port}`, this.typed.trim()) &&
        (!this.onlyChanged || knob.source !== 'default'),
    ),
  );
  readonly groups = $derived([
    ...Map.groupBy(this.shown, ({ port }) => port.split('.')[0] || settingsWords.otherGroup),
  ]);
  readonly shownPorts = $derived.by(() =>
    (this.ports.value ?? []).filter(({ seed, what, knobs }) =>
      contains(`${seed} ${what} ${knobs.map(({ name }) => name).join(' ')}`, this.typed.trim()),
    ),
  );

  readonly privacyGroups = $derived.by(() =>
    PRIVACY_GROUPS.map(
      (group) =>
        [
          group,
          PRIVACY[group].flatMap((name) => this.knobs.value?.find((knob) => knob.name === name) ?? []),
        ] as const,
    ),
  );

  /** Topics of every tab that the search finds by their words. */
  readonly topicsFound = $derived.by(() =>
    settingsWords.searchedTopics.filter(({ tab, title, words }) =>
      contains(`${settingsWords.tabs[tab]} ${title} ${words}`, this.typed.trim()),
    ),
  );

  scanNow(): Promise<void> {
    return this.scan.ask({});
  }

  async load(): Promise<void> {
    await Promise.all([this.knobs.ask({}), this.ports.ask({})]);
  }

  discard(knob: KnobState): void {
    this.#drafts.discard(settingDrafts, knob.name);
    this.#forgetProblem(knob.name);
  }

  /** Checks what was typed and sets it; returns the setting as it was, so that it can be put back. */
  async set(knob: KnobState, typed: string | boolean): Promise<KnobState | null> {
    const parsed = parseKnob(knob, typed);
    if (!parsed.ok) {
      this.problems = { ...this.problems, [knob.name]: parsed.problem };
      return null;
    }
    if (!Object.is(parsed.value, knob.value)) return this.#write(knob, parsed.value);
    this.discard(knob);
    return null;
  }

  reset(knob: KnobState): Promise<KnobState | null> {
    return this.#write(knob, null);
  }

  /** Puts a setting back as it was: to its value if it was set here, to its default if not. */
  async putBack(before: KnobState): Promise<unknown> {
    const now = this.knobs.value?.find(({ name }) => name === before.name);
    await this.#write(before, before.source === 'home' ? before.value : null);
    return now && (() => this.putBack(now));
  }

  async #write(knob: KnobState, value: unknown): Promise<KnobState | null> {
    try {
      const { notices, ...saved } = await this.#scope.call('config.set', { name: knob.name, value });
      this.notices = { ...this.notices, [knob.name]: notices };
      this.discard(knob);
      this.knobs.put((knobs) => knobs.map((other) => (other.name === saved.name ? saved : other)));
      return knob;
    } catch (error) {
      this.problems = { ...this.problems, [knob.name]: asError(error).message };
      return null;
    }
  }

  #forgetProblem(name: string): void {
    this.problems = Object.fromEntries(Object.entries(this.problems).filter(([other]) => other !== name));
  }
}
