import {
  findNodeAtLocation,
  type JSONPath,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { ConfigProblem, lineAt } from '../problems.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type { JSONPath, Node };

const BYTE_ORDER_MARK = '\uFEFF';

/** Parses JSON with comments and refuses anything other than an object at the top. */
export function parseObject(text: string): Node {
  const errors: ParseError[] = [];
  // A byte order mark becomes a blank, so that offsets stay those of the text.
  const root = parseTree(text.replace(BYTE_ORDER_MARK, ' '), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error)
    throw new ConfigProblem(
      `is not valid JSON: ${spelled(printParseErrorCode(error.error))}`,
      lineAt(text, error.offset),
    );
  if (root?.type !== 'object') throw new ConfigProblem('holds no JSON object', 1);
  return root;
}

/** `CommaExpected` → `comma expected`. */
const spelled = (code: string) => code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** Turns an empty text into an empty object, so that there is something to edit. */
export const orEmptyObject = (text: string): string =>
  text.replace(BYTE_ORDER_MARK, '').trim() === '' ? `${text.trim()}{}\n` : text;

export function find(text: string, path: JSONPath): Node | undefined {
  return findNodeAtLocation(parseObject(text), path);
}

/**
 * Sets the value at a path: replaces an existing one in place, otherwise appends it and creates the objects on the way.
 */
export function setIn(text: string, path: string[], value: Json): string {
  const existing = find(text, path);
  if (existing) return replaceNode(text, existing, value);
  const depth = path.findIndex((_, index) => !find(text, path.slice(0, index + 1)));
  const parent = find(text, path.slice(0, depth));
  if (parent?.type !== 'object')
    throw new ConfigProblem(
      `has something other than an object at ${path.slice(0, depth).join('.')}`,
      parent && lineAt(text, parent.offset),
    );
  const inner = path.slice(depth + 1).reduceRight<Json>((child, key) => ({ [key]: child }), value);
  return insertChild(text, parent, (write) => `${JSON.stringify(path[depth])}: ${write(inner)}`);
}

/** Adds an item at the end of the list at a path. */
export function appendTo(text: string, path: string[], item: Json): string {
  const list = find(text, path);
  if (!list) return setIn(text, path, [item]);
  if (list.type !== 'array')
    throw new ConfigProblem(
      `has something other than a list at ${path.join('.')}`,
      lineAt(text, list.offset),
    );
  return insertChild(text, list, (write) => write(item));
}

/** Removes the value at a path with its comma and its lines; other people's comments stay. */
export function removeAt(text: string, path: JSONPath): string {
  const found = find(text, path);
  const child = found?.parent?.type === 'property' ? found.parent : found;
  const siblings = child?.parent?.children;
  if (!child?.parent || !siblings) return text;
  const index = siblings.indexOf(child);
  const [start, end] = extent(text, child);
  const isLast = index === siblings.length - 1;
  const endsWithComma = text.slice(child.offset + child.length, end).includes(',');
  const previous = siblings[index - 1];
  // The comma before the removed last item goes too, unless the file uses trailing commas.
  const without =
    isLast && previous && !endsWithComma
      ? dropComma(text, previous.offset + previous.length, start)
      : text.slice(0, start);
  return collapse(without + text.slice(end), child.parent, siblings.length === 1);
}

/** The range of a child with its comma, and with its whole lines if nothing else is on them. */
function extent(text: string, child: Node): [number, number] {
  let end = child.offset + child.length;
  end += /^\s*,/.exec(text.slice(end))?.[0].length ?? 0;
  const lineStart = text.lastIndexOf('\n', child.offset - 1) + 1;
  const alone = text.slice(lineStart, child.offset).trim() === '' && lineStart > 0;
  const rest = /^[ \t]*(?:\r?\n)/.exec(text.slice(end));
  if (alone && rest) return [lineStart, end + rest[0].length];
  const blank = /[ \t]*$/.exec(text.slice(0, child.offset))?.[0].length ?? 0;
  return alone ? [child.offset, end] : [child.offset - blank, end];
}

function dropComma(text: string, from: number, to: number): string {
  const comma = skipComments(text, from);
  return text[comma] === ',' ? text.slice(0, comma) + text.slice(comma + 1, to) : text.slice(0, to);
}

/** Writes an object or list that has become empty on one line, unless a comment is left in it. */
function collapse(text: string, container: Node, isEmpty: boolean): string {
  if (!isEmpty) return text;
  const open = container.offset + 1;
  const close = /^\s*(?=[\]}])/.exec(text.slice(open));
  return close ? text.slice(0, open) + text.slice(open + close[0].length) : text;
}

function replaceNode(text: string, node: Node, value: Json): string {
  return (
    text.slice(0, node.offset) +
    written(value, text, indentAt(text, node.offset)) +
    text.slice(node.offset + node.length)
  );
}

type Write = (value: Json) => string;

function insertChild(text: string, container: Node, child: (write: Write) => string): string {
  const children = container.children ?? [];
  const last = children.at(-1);
  const close = container.offset + container.length - 1;
  if (!last) return insertFirst(text, container, close, child);
  const oneLine = !text.slice(container.offset, close).includes('\n');
  const lastEnd = last.offset + last.length;
  const comma = skipComments(text, lastEnd);
  const trailing = text[comma] === ',';
  if (oneLine) {
    const at = trailing ? comma + 1 : lastEnd;
    return `${text.slice(0, at)}${trailing ? '' : ','} ${child((value) => JSON.stringify(value))}${text.slice(at)}`;
  }
  const first = children[0] ?? last;
  const startsLine = text.slice(text.lastIndexOf('\n', first.offset - 1) + 1, first.offset).trim() === '';
  const indent = startsLine ? indentAt(text, first.offset) : indentAt(text, container.offset) + unitOf(text);
  const at = endOfLine(text, trailing ? comma + 1 : lastEnd, close);
  const head = trailing ? text.slice(0, at) : `${text.slice(0, lastEnd)},${text.slice(lastEnd, at)}`;
  const ownLine = /^[ \t]*\r?\n/.test(text.slice(at));
  const tail = ownLine
    ? text.slice(at)
    : `${eolOf(text)}${indentAt(text, container.offset)}${text.slice(at).trimStart()}`;
  return `${head}${eolOf(text)}${indent}${child((value) => written(value, text, indent))}${trailing ? ',' : ''}${tail}`;
}

/** Inserts into a container without children; a comment in it stays. */
function insertFirst(text: string, container: Node, close: number, child: (write: Write) => string): string {
  const outer = indentAt(text, container.offset);
  const indent = outer + unitOf(text);
  const kept = text.slice(container.offset + 1, close).trimEnd();
  return `${text.slice(0, container.offset + 1)}${kept}${eolOf(text)}${indent}${child((value) => written(value, text, indent))}${eolOf(text)}${outer}${text.slice(close)}`;
}

function written(value: Json, text: string, indent: string): string {
  return JSON.stringify(value, null, unitOf(text)).replaceAll('\n', eolOf(text) + indent);
}

/** Skips a comment on the same line, because it belongs to the item before it. */
function endOfLine(text: string, from: number, limit: number): number {
  const comment = /^[ \t]*(?:\/\*(?:(?!\*\/)[^\n])*\*\/[ \t]*)*(?:\/\/[^\r\n]*)?(?=\r?\n)/.exec(
    text.slice(from, limit),
  );
  return from + (comment?.[0].trimEnd().length ?? 0);
}

function skipComments(text: string, from: number): number {
  return from + (/^(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*/.exec(text.slice(from))?.[0].length ?? 0);
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';
}

const unitOf = (text: string): string => /^([ \t]+)["[{]/m.exec(text)?.[1] ?? '  ';
const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
