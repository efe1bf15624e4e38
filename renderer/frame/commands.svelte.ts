import * as z from 'zod';
import { type KeyPress, pressedKey } from '../ui/keys.ts';
import { remembered } from '../ui/remember.ts';
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

type Binding = { table: CommandTable; handlers: Readonly<Record<string, Handler>> };

/** Keys by a command's lasting name, for whoever wants others than the default. */
export type KeyMap = Readonly<Record<string, readonly string[]>>;
const KeyMap = z.record(z.string(), z.array(z.string().max(30)).max(5));

export const storedKeys = (): KeyMap => remembered('keys', KeyMap, {});

/** Everything that can be done now: keys, status-line hints, the list of keys and the palette all come from here. */
export class Commands {
  readonly #keyMap: KeyMap;
  // Not reactive itself: while a screen is torn down, Svelte reads state as it was before the next screen bound its own.
  #bindings: readonly Binding[] = [];
  #firstKey: { key: string; at: number } | null = null;
  #change = $state.raw({});

  constructor(keyMap: KeyMap = {}) {
    this.#keyMap = keyMap;
  }

  /** The last table that is bound gets a key first; returns how to unbind it. */
  bind<Id extends string>(table: CommandTable<Id>, handlers: Record<Id, Handler>): () => void {
    const binding: Binding = { table, handlers };
    this.#bindings = [binding, ...this.#bindings];
    this.#change = {};
    return () => {
      this.#bindings = this.#bindings.filter((other) => other !== binding);
      this.#change = {};
    };
  }

  /** By table, those that can be run now. */
  get available(): { title: string; commands: BoundCommand[] }[] {
    const bindings = this.#change && this.#bindings; // read, so that a change of the tables is noticed
    return bindings.map(({ table, handlers }) => ({
      title: table.title,
      commands: Object.entries(table.commands).flatMap(([id, command]) => {
        const handler = handlers[id];
        if (!handler || (typeof handler !== 'function' && !handler.when())) return [];
        const run = typeof handler === 'function' ? handler : handler.run;
        return [{ ...command, id: nameOf(table, id), keys: this.keysOf(table, id), run: () => void run() }];
      }),
    }));
  }

  /** For the status line: the keys of each hint of the open screen. */
  get hints(): { keys: string[]; hint: string }[] {
    const hinted = this.available.flatMap(({ commands }) => commands).filter(({ hint }) => hint);
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
    return this.#keyMap[nameOf(table, id)] ?? table.commands[id]?.keys ?? [];
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
