/** A JSON object whose fields may be missing, new or of another type than yesterday. */
export type Fields = Readonly<Record<string, unknown>>;

const NONE: Fields = Object.freeze({});
const BYTE_ORDER_MARK = 0xfeff;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object a record's text stands for; anything else is no record. */
export function parseRecord(text: string): Fields {
  const value: unknown = JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
  if (!isFields(value)) throw new TypeError('not a record');
  return value;
}

const GLUED = /(?<=\})(?=\{"(?:uuid|parentUuid|type|id|role)":)/;

/** The records of a line: one, or several where a crash lost the line break between them. */
export function recordsIn(line: string): Fields[] {
  try {
    return [parseRecord(line)];
  } catch (error) {
    const pieces = line.split(GLUED);
    if (pieces.length === 1) throw error;
    return pieces.map(parseRecord);
  }
}

/** The first of these fields that holds text, or ''. */
export function text(fields: Fields, ...names: string[]): string {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}

/** The first of these fields that holds an object, or an empty one. */
export function object(fields: Fields, ...names: string[]): Fields {
  for (const name of names) {
    const value = fields[name];
    if (isFields(value)) return value;
  }
  return NONE;
}

/** The objects in the first of these fields that holds a list; what else stands in it is left out. */
export function list(fields: Fields, ...names: string[]): Fields[] {
  for (const name of names) {
    const value = fields[name];
    if (Array.isArray(value)) return value.filter(isFields);
  }
  return [];
}

const IN_SECONDS = 1e11; // as milliseconds this is 1973, so a smaller number counts seconds

/** Epoch milliseconds of an ISO text or a number of seconds or milliseconds; 0 when it is none of these. */
export function time(value: unknown): number {
  if (typeof value === 'string') return Date.parse(value) || 0;
  if (typeof value !== 'number' || !Number.isFinite(value)) return 0;
  return value < IN_SECONDS ? value * 1000 : value;
}

/** An object written as JSON in a text field, as agents do with arguments; an empty one when it is not. */
export function embedded(value: unknown): Fields {
  if (isFields(value)) return value;
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return NONE;
  try {
    return parseRecord(value);
  } catch {
    return NONE; // the text itself is kept by the caller; only its parts stay unknown
  }
}

/** A value as data where it is JSON in a text, as agents write arguments; any other as it is. */
export function unpacked(value: unknown): unknown {
  const fields = embedded(value);
  return Object.keys(fields).length > 0 ? fields : value;
}

/** The words in a text, a list of blocks or a result object, joined by lines. */
export function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(wordsOf).filter(Boolean).join('\n');
  if (!isFields(value)) return '';
  const said = [text(value, 'text', 'output', 'stdout', 'content'), text(value, 'stderr')]
    .filter(Boolean)
    .join('\n');
  return (
    said || text(value, 'error', 'message') || wordsOf(value.content ?? value.result ?? value.output ?? '')
  );
}
