/** An action with a key or an entry in the palette. The open screen binds its handler. */
export interface Command {
  /** As the palette and the list of keys call it. */
  title: string;
  /** More words it is found by. */
  synonyms?: string;
  /** As `KeyboardEvent.key` names them; `Mod+` is ⌘ on a Mac and Ctrl elsewhere. */
  keys?: readonly string[];
  /** A word for the status line. Commands with the same word share their place. */
  hint?: string;
  /** A row in the list of keys that several commands share. */
  row?: string;
  /** False for steps that make no sense one at a time, such as moving to the next row. */
  inPalette?: boolean;
  /** True for what makes sense from any page, such as writing something new: the palette opens the page first. */
  elsewhere?: boolean;
}

export interface CommandTable<Id extends string = string> {
  /** With a command's id, its lasting name: remapped keys are kept under it. */
  name: string;
  title: string;
  commands: Readonly<Record<Id, Command>>;
}

export const commandTable = <Id extends string>(
  name: string,
  title: string,
  commands: Record<Id, Command>,
): CommandTable<Id> => ({ name, title, commands });

const move = { hint: 'move', inPalette: false } as const;

/** Moving in a list is the same on every page. */
export const LIST_COMMANDS = {
  next: { title: 'Next', keys: ['j', 'ArrowDown'], ...move },
  previous: { title: 'Previous', keys: ['k', 'ArrowUp'], ...move },
} as const satisfies Record<string, Command>;
export const TAB_COMMANDS = {
  nextTab: { title: 'Next tab', keys: ['ArrowRight'], hint: 'tabs', inPalette: false },
  previousTab: { title: 'Previous tab', keys: ['ArrowLeft'], hint: 'tabs', inPalette: false },
} as const satisfies Record<string, Command>;
export const SEARCH_COMMAND = {
  search: {
    title: 'Search on this page',
    synonyms: 'find filter',
    keys: ['/'],
    hint: 'search',
    elsewhere: true,
  },
} as const satisfies Record<string, Command>;
