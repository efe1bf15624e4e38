import type { Knob } from './knob.ts';

/** Variables of Reflect that are no settings: where it lives, and what its parts tell each other. */
const OTHER_VARIABLES: ReadonlySet<string> = new Set([
  'RECALL_LEARNINGS_ROOT',
  'REFLECT_AGENTS_HOME',
  'REFLECT_BUNDLED_MODELS',
  'REFLECT_DISABLED',
  'REFLECT_EVENT',
  'REFLECT_EVENT_PAYLOAD',
  'REFLECT_HOME',
  'REFLECT_MODELS_DIR',
  'REFLECT_SHORTCUT',
  'REFLECT_UPDATE_FEED',
]);

/** Every knob by its name and by each of its aliases. */
export function knobsByName(knobs: readonly Knob[]): ReadonlyMap<string, Knob> {
  return new Map(knobs.flatMap((knob) => [knob.name, ...(knob.aliases ?? [])].map((name) => [name, knob])));
}

/** The variables that look like settings of Reflect and are none: most are misspelt. */
export function unknownVariables(variables: readonly string[], known: ReadonlyMap<string, Knob>): string[] {
  return variables
    .filter((name) => /^(?:REFLECT|RECALL)_/.test(name))
    .filter((name) => !known.has(name) && !OTHER_VARIABLES.has(name))
    .toSorted();
}

/** `RECALL_DEPHT is not a setting; did you mean RECALL_DEPTH?` */
export function unknownName(name: string, known: ReadonlyMap<string, Knob>): string {
  if (OTHER_VARIABLES.has(name))
    return `${name} counts only as a variable of the environment Reflect starts in`;
  const near = nearest(name, [...known.keys(), ...OTHER_VARIABLES]);
  return `${name} is not a setting${near ? `; did you mean ${near}?` : ''}`;
}

const FARTHEST = 0.4; // edits per letter; beyond that the names have nothing in common

function nearest(name: string, names: readonly string[]): string | null {
  const upper = name.toUpperCase();
  const [best] = names
    .map((other) => ({ other, edits: distance(upper, other) }))
    .toSorted((one, next) => one.edits - next.edits);
  return best && best.edits <= FARTHEST * name.length ? best.other : null;
}

/** How many letters must be added, removed or replaced, or swapped with their neighbour. */
function distance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= other.length; column++) {
      const isSwap = letter === other[column - 2] && one[index - 1] === other[column - 1];
      next.push(
        Math.min(
          (next[column - 1] ?? 0) + 1,
          (row[column] ?? 0) + 1,
          (row[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1),
          isSwap ? (before[column - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}
