import { isDeepStrictEqual } from 'node:util';
import { getNodeValue } from 'jsonc-parser';
import type { Edit } from './edit.ts';
import { ConfigProblem, lineAt } from '../problems.ts';
import { appendTo, find, type Json, orEmptyObject, parseObject, removeAt, setIn } from './json-text.ts';

type JsonObject = { [key: string]: Json };

interface JsonEntries {
  /** Our values by path; keys that others added inside such an object are kept. */
  values?: { path: string[]; value: JsonObject }[];
  /** Handlers by event, grouped as Claude Code writes them: `hooks.<event>[].hooks[]`. */
  hooks?: Record<string, JsonObject>;
}

/** Matches our hook command in every form: `node …/reflect.cjs hook …`, `reflect hook …`, `'…/reflect.cmd' hook …`. */
const OURS = /(?:^|[\s/\\'"])reflect(?:\.cjs|\.cmd)?['"]?\s+hook\s/;

function isOurHook(handler: unknown): boolean {
  if (typeof handler !== 'object' || handler === null) return false;
  const { command, args } = handler as { command?: unknown; args?: unknown };
  return typeof command === 'string' && OURS.test([command, ...(Array.isArray(args) ? args : [])].join(' '));
}

export function editJson({ values = [], hooks = {} }: JsonEntries): Edit {
  return {
    apply(given) {
      let text = orEmptyObject(given);
      for (const { path, value } of values) text = setValue(text, path, value);
      for (const event of new Set([...eventsOf(text), ...Object.keys(hooks)]))
        text = setHook(text, event, hooks[event]);
      return text;
    },
    remove(given, original) {
      let text = given;
      if (text.trim() === '') return text;
      for (const { path } of values) text = prune(removeAt(text, path), path.slice(0, -1), original);
      for (const event of eventsOf(text))
        text = prune(dropHooks(text, event, original), ['hooks', event], original);
      return text;
    },
    isIn: (text) =>
      text.trim() !== '' &&
      (values.some(({ path }) => find(text, path)) ||
        eventsOf(text).some((event) => positionsOf(text, event).length > 0)),
    isEmpty: (text) =>
      text.trim() === '' || (parseObject(text).children?.length === 0 && !/\/[/*]/.test(text)),
  };
}

function setValue(text: string, path: string[], value: JsonObject): string {
  const existing = valueAt(text, path);
  const merged = isObject(existing) ? { ...existing, ...value } : value;
  return isDeepStrictEqual(existing, merged) ? text : setIn(text, path, merged);
}

function eventsOf(text: string): string[] {
  const hooks = find(text, ['hooks']);
  if (!hooks) return [];
  if (hooks.type !== 'object')
    throw new ConfigProblem('has something other than an object at hooks', lineAt(text, hooks.offset));
  return Object.keys(getNodeValue(hooks) as object);
}

/** Positions of our handlers: [group, index in the group]. */
function positionsOf(text: string, event: string): [number, number][] {
  const groups = valueAt(text, ['hooks', event]);
  if (!Array.isArray(groups)) return [];
  return groups.flatMap((group: Json, index) => {
    const handlers = isObject(group) && Array.isArray(group.hooks) ? group.hooks : [];
    return handlers.flatMap((handler, position): [number, number][] =>
      isOurHook(handler) ? [[index, position]] : [],
    );
  });
}

function setHook(text: string, event: string, handler: JsonObject | undefined): string {
  const [first, ...more] = positionsOf(text, event);
  if (!first) return handler ? appendTo(text, ['hooks', event], { hooks: [handler] }) : text;
  if (!handler) return prune(dropHooks(text, event, null), ['hooks', event], null);
  const path = ['hooks', event, first[0], 'hooks', first[1]];
  const tidy = more.reverse().reduce((rest, position) => dropHook(rest, event, position, null), text);
  return isDeepStrictEqual(valueAt(tidy, path), handler) ? tidy : replaceAt(tidy, path, handler);
}

function replaceAt(text: string, path: (string | number)[], value: Json): string {
  return setIn(text, path as string[], value); // the node exists, so no object is created on the way
}

const dropHooks = (text: string, event: string, original: string | null): string =>
  positionsOf(text, event)
    .reverse()
    .reduce((rest, position) => dropHook(rest, event, position, original), text);

/** Removes one handler, and its group if it was the last: a group without handlers does nothing. */
function dropHook(
  text: string,
  event: string,
  [group, position]: [number, number],
  original: string | null,
): string {
  const handlers = valueAt(text, ['hooks', event, group, 'hooks']) as Json[];
  if (handlers.length > 1) return removeAt(text, ['hooks', event, group, 'hooks', position]);
  return prune(removeAt(text, ['hooks', event, group]), ['hooks', event], original);
}

/** Removes a container that has become empty, then its parents, unless the original had them. */
function prune(text: string, path: string[], original: string | null): string {
  if (path.length === 0) return text;
  const container = find(text, path);
  if (!container) return prune(text, path.slice(0, -1), original);
  if ((container.children?.length ?? 0) > 0 || hadBefore(original, path) || hasComment(text, container))
    return text;
  return prune(removeAt(text, path), path.slice(0, -1), original);
}

const hadBefore = (original: string | null, path: string[]) =>
  original !== null && original.trim() !== '' && find(original, path) !== undefined;
const hasComment = (text: string, { offset, length }: { offset: number; length: number }) =>
  /\/[/*]/.test(text.slice(offset, offset + length));

function valueAt(text: string, path: (string | number)[]): Json | undefined {
  const node = find(text, path);
  // The JSON round trip gives the objects a prototype; without one they would equal none of ours.
  return node && (JSON.parse(JSON.stringify(getNodeValue(node))) as Json);
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
