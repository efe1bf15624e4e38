import { join } from 'node:path';
import { readTextIfExists } from '../../platform/read-file.ts';
import { flag, perProject, type Resolve, text } from '../../ports/knob.ts';
import type { PortCard } from '../../ports/port.ts';
import { engineering } from './engineering.ts';
import { Mode } from './mode.ts';
import { research } from './research.ts';
import { writing } from './writing.ts';

export const modes = {
  id: 'drain.modes',
  seeds: ['M4'],
  doc: 'Writes notes for the kind of work: with the types, categories, phrases and instructions of the chosen mode.',
  switch: flag('REFLECT_CUSTOM_MODES', true, 'Also load your own modes'),
  knobs: {
    mode: perProject(
      text(
        'REFLECT_MODE',
        'engineering',
        'The kind of work: engineering, research, writing, or a mode of your own',
      ),
    ),
    // Personal: a cloned repository must not name folders to read.
    folder: text(
      'REFLECT_MODES_DIR',
      '',
      'The folder of your own modes; empty for modes/ in the Reflect home',
    ),
  },
} satisfies PortCard;

type Declared = Record<string, unknown>;

const BUILT_IN: Readonly<Record<string, Mode>> = { engineering, research, writing };
const NAME = /^[a-z0-9]+(?:-{1,2}[a-z0-9]+)*$/i; // a project may choose it, so it must not lead out of the folder
const INHERITS = '--';

/**
 * The mode in force; engineering, with the reason, when the chosen one cannot be used. Without a setting, own modes are
 * in the usual folder.
 */
export function chooseMode(usualFolder: string, resolve: Resolve): { mode: Mode; notice: string } {
  const name = resolve(modes.knobs.mode);
  const folder = resolve(modes.knobs.folder) || usualFolder;
  try {
    return { mode: named(name, resolve(modes.switch) ? folder : null), notice: '' };
  } catch (error) {
    return {
      mode: engineering,
      notice: `The mode engineering is used instead of ${name}: ${(error as Error).message}.`,
    };
  }
}

/** `parent--own` inherits what it does not say itself; its parent is taken as declared, without its own parent. */
function named(name: string, folder: string | null): Mode {
  if (!NAME.test(name)) throw new Error('a mode is named with letters, digits and dashes');
  const own = declared(name, folder);
  if (!own) throw new Error(`there is no such mode; built in are ${Object.keys(BUILT_IN).join(', ')}`);
  const parentName = name.includes(INHERITS) ? name.slice(0, name.lastIndexOf(INHERITS)) : null;
  const parent = parentName === null ? {} : declared(parentName, folder);
  if (!parent) throw new Error(`there is no mode ${parentName} to inherit from`);
  const parsed = Mode.safeParse(merged(parent, { name, ...own }));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error([issue?.path.join('.'), issue?.message].filter(Boolean).join(': '));
}

/** The mode's own definition: the person's file comes before a built-in one. */
function declared(name: string, folder: string | null): Declared | null {
  const source = folder === null ? null : readTextIfExists(join(folder, `${name}.json`));
  if (source === null) return BUILT_IN[name] ?? null;
  const value: unknown = JSON.parse(source);
  if (!isRecord(value)) throw new Error(`${name}.json is not an object`);
  return value;
}

/** Objects are merged, all else is replaced: a list of three types means these three. */
function merged(parent: Declared, own: Declared): Declared {
  const both = Object.entries(own).map(([key, value]) => {
    const inherited = Object.hasOwn(parent, key) ? parent[key] : undefined;
    return [key, isRecord(inherited) && isRecord(value) ? merged(inherited, value) : value] as const;
  });
  return Object.fromEntries([...Object.entries(parent), ...both]);
}

const isRecord = (value: unknown): value is Declared =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
