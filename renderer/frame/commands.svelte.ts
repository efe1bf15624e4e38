import * as z from 'zod';
import { keyName, type KeyPress, pressedKey } from '../ui/keys.ts';
import { remember, remembered } from '../ui/remember.ts';
import type { Command, CommandTable } from './command-table.ts';

/** Runs a command; with `when`, only while that holds. */
export type Handler = (() => unknown) | { when: () => unknown; run: () => unknown };

export interface BoundCommand extends Command {
  id: string;
  keys: readonly string[];
  run: () => void;
}

/** How long the first key of two waits for the second. */
const SECOND_KEY_MS = 1_000;
const OPENS_WITHIN_MS = 5_000;

type Binding = { table: CommandTable; handlers: Readonly<Record<string, Handler>> };

/** A person's own keys, by a command's lasting name. */
type KeyMap = Readonly<Record<string, readonly string[]>>;
const KeyMap = z.record(z.string(), z.array(z.string().max(30)).max(5));

const KEYS = 'keys';
const SINGLE_KEYS = 'single-keys';
export const storedKeys = (): KeyMap => remembered(KEYS, KeyMap, {});

/** A key that types a character; people who dictate or press keys by accident switch these off. */
const isCharacter = (key: string): boolean => [...key].length === 1 || key.includes(' ');

/** Everything that can be done now: keys, status-line hints, the list of keys and the palette all come from here. */
export class Commands {
  #keyMap = $state.raw<KeyMap>({});
  /** False when keys that type a character do nothing by themselves. */
  hasSingleKeys = $state(remembered(SINGLE_KEYS, z.boolean(), true));
  /** A command of another page, to be run once that page has bound it. */
  #awaited: { name: string; until: number } | null = null;
  // Not reactive itself: while a screen is torn down, Svelte reads state as it was before the next screen bound its
  // own.
  #bindings: readonly Binding[] = [];
  #firstKey: { key: string; at: number } | null = null;
  #change = $state.raw({});
  /** True while a field has the focus: then keys type, and only those with Ctrl or ⌘ act on the page. */
  isTyping = $state(false);

  constructor(keyMap: KeyMap = {}) {
    this.#keyMap = keyMap;
  }

  /** The last table that is bound gets a key first; returns how to unbind it. */
  bind<Id extends string>(table: CommandTable<Id>, handlers: Record<Id, Handler>): () => void {
    const binding: Binding = { table, handlers };
    this.#bindings = [binding, ...this.#bindings];
    this.#change = {};
    this.#runAwaited(binding);
    return () => {
      this.#bindings = this.#bindings.filter((other) => other !== binding);
      this.#change = {};
    };
  }

  /** By table, those that can be run now. */
  get available(): { name: string; title: string; commands: BoundCommand[] }[] {
    const bindings = this.#change && this.#bindings; // read, so that a change of the tables is noticed
    return bindings.map(({ table, handlers }) => ({
      name: table.name,
      title: table.title,
      commands: Object.entries(table.commands).flatMap(([id, command]) => {
        const handler = handlers[id];
        if (!handler || (typeof handler !== 'function' && !handler.when())) return [];
        const run = typeof handler === 'function' ? handler : handler.run;
        return [{ ...command, id: nameOf(table, id), keys: this.keysOf(table, id), run: () => void run() }];
      }),
    }));
  }

  /** The same for a person to choose from: those of the open page first, dangerous ones of its parts after them. */
  availableOn(page: string): { name: string; title: string; commands: BoundCommand[] }[] {
    const inPalette = this.available.map(({ commands, ...table }) => ({
      ...table,
      commands: commands.filter((command) => command.inPalette !== false),
    }));
    return inPalette.toSorted((a, b) => Number(b.name === page) - Number(a.name === page));
  }

  /** For the status line: the keys of each hint of the open screen that act now. */
  get hints(): { keys: string[]; hint: string }[] {
    const acts = (key: string | undefined) => key !== undefined && (!this.isTyping || key.startsWith('Mod+'));
    const hinted = this.available
      .flatMap(({ commands }) => commands)
      .filter(({ hint, keys }) => hint && acts(keys[0]));
    return [...Map.groupBy(hinted, ({ hint }) => hint ?? '')].map(([hint, commands]) => ({
      hint,
      keys: commands.flatMap(({ keys }) => keys.slice(0, 1)),
    }));
  }

  /** For the list of keys: every row of a table, bound or not. */
  rowsOf(table: CommandTable): { row: string; keys: string[] }[] {
    const keyed = Object.entries<Command>(table.commands).filter(([id]) => this.keysOf(table, id).length > 0);
    return [...Map.groupBy(keyed, ([, { row, title }]) => row ?? title)].map(([row, commands]) => ({
      row,
      keys: commands.flatMap(([id, { row: isShared }]) =>
        this.keysOf(table, id).slice(0, isShared === undefined ? undefined : 1),
      ),
    }));
  }

  keysOf(table: CommandTable, id: string): readonly string[] {
    const keys = this.#keyMap[nameOf(table, id)] ?? table.commands[id]?.keys ?? [];
    return this.hasSingleKeys ? keys : keys.filter((key) => !isCharacter(key));
  }

  /** A command's first key as people read it. */
  keyHint(table: CommandTable, id: string): string | undefined {
    return this.keysOf(table, id).map(keyName)[0];
  }

  isRemapped(table: CommandTable, id: string): boolean {
    return this.#keyMap[nameOf(table, id)] !== undefined;
  }

  /** Gives a command another key; null gives it its own back. */
  remap(table: CommandTable, id: string, key: string | null): void {
    const { [nameOf(table, id)]: _, ...others } = this.#keyMap;
    this.#keyMap = key === null ? others : { ...others, [nameOf(table, id)]: [key] };
    remember(KEYS, this.#keyMap);
  }

  setSingleKeys(on: boolean): void {
    this.hasSingleKeys = on;
    remember(SINGLE_KEYS, on);
  }

  isBound(table: CommandTable): boolean {
    return (this.#change && this.#bindings).some((binding) => binding.table === table);
  }

  /** Runs a command of a page that is about to open, as soon as it is there. */
  runOnceBound(table: CommandTable, id: string): void {
    this.#awaited = { name: nameOf(table, id), until: Date.now() + OPENS_WITHIN_MS };
  }

  #runAwaited({ table, handlers }: Binding): void {
    const awaited = this.#awaited;
    const id = Object.keys(table.commands).find((each) => nameOf(table, each) === awaited?.name);
    if (!awaited || id === undefined) return;
    this.#awaited = null;
    const handler = handlers[id];
    const run = typeof handler === 'function' ? handler : handler?.run;
    // After the page is drawn, so that what the command focuses is there.
    if (Date.now() < awaited.until) setTimeout(() => void run?.());
  }

  /** Runs what the key, or the key before it and this one, are bound to; true if anything was. */
  press(press: KeyPress): boolean {
    const key = pressedKey(press);
    if (key === null) return false;
    const first = this.#firstKey;
    this.#firstKey = null;
    if (first && Date.now() - first.at < SECOND_KEY_MS && this.#run(`${first.key} ${key}`)) return true;
    if (this.#run(key)) return true;
    const startsTwo = this.available.some(({ commands }) =>
      commands.some(({ keys }) => keys.some((keyed) => keyed.startsWith(`${key} `))),
    );
    if (startsTwo) this.#firstKey = { key, at: Date.now() };
    return startsTwo;
  }

  #run(key: string): boolean {
    for (const { commands } of this.available) {
      const command = commands.find(({ keys }) => keys.includes(key));
      if (!command) continue;
      command.run();
      return true;
    }
    return false;
  }
}

const nameOf = ({ name }: CommandTable, id: string): string => `${name}.${id}`;
