import { openRpc } from '#contract/openrpc.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema | Schema[];
  description?: string;
}

interface Method {
  name: string;
  summary: string;
  params: Array<{ name: string; required: boolean; description?: string; schema: Schema }>;
  result: { schema: Schema };
}

/** The contract as plain TypeScript types, so that a program that uses the client needs neither our sources nor zod. */
export function contractDeclarations(version: string): string {
  const { methods, components } = openRpc(version) as unknown as {
    methods: Method[];
    components: { schemas: Record<string, Schema>; errors: Record<string, unknown> };
  };
  const entities = Object.entries(components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema, 0)};`,
  );
  const codes = Object.keys(components.errors).map((code) => `'${code}'`);
  return [
    '// Made by daemon/client/pack.ts from the contract of the daemon.',
    ...entities,
    `export type Verdict = 'pass' | 'fail';`,
    'export type Message = { role: string; content: unknown; [more: string]: unknown };',
    `export type ErrorCode = ${codes.join(' | ')};`,
    'export declare class DaemonError extends Error {\n  readonly code: ErrorCode;\n  readonly detail: string | undefined;\n}',
    `export interface Methods {\n${methods.map(methodType).join('\n')}\n}`,
    'export type Method = keyof Methods;',
    `export type Input<M extends Method> = Methods[M]['input'];`,
    `export type Output<M extends Method> = Methods[M]['output'];`,
    'export type Call = <M extends Method>(method: M, input: Input<M>) => Promise<Output<M>>;',
    '',
  ].join('\n\n');
}

function methodType({ name, summary, params, result }: Method): string {
  const properties = Object.fromEntries(
    params.map(({ name: field, schema, description }) => [
      field,
      { ...schema, ...(description === undefined ? {} : { description }) },
    ]),
  );
  const required = params.filter((param) => param.required).map((param) => param.name);
  const input: Schema = { type: 'object', properties, required, additionalProperties: false };
  return `  /** ${summary} */\n  '${name}': { input: ${typeOf(input, 2)}; output: ${typeOf(result.schema, 2)} };`;
}

function typeOf(schema: Schema, indent: number): string {
  const { $ref, anyOf, oneOf, allOf, enum: values } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? 'unknown';
  if ('const' in schema) return JSON.stringify(schema.const);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  const options = anyOf ?? oneOf;
  if (options) return [...new Set(options.map((option) => typeOf(option, indent)))].join(' | ');
  if (allOf) return allOf.map((part) => `(${typeOf(part, indent)})`).join(' & ');
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(' | ');
  return plainType(schema, indent);
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

function plainType({ type = '', items, properties, required = [], ...rest }: Schema, indent: number): string {
  if (type === 'array')
    return Array.isArray(items)
      ? `[${items.map((item) => typeOf(item, indent)).join(', ')}]`
      : `Array<${items ? typeOf(items, indent) : 'unknown'}>`;
  if (type !== 'object') return PLAIN[String(type)] ?? 'unknown';
  const { additionalProperties: more } = rest;
  const index = typeof more === 'object' ? typeOf(more, indent) : 'unknown';
  if (!properties) return `Record<string, ${index}>`;
  if (Object.keys(properties).length === 0) return more === false ? 'Record<string, never>' : '{}';
  const space = ' '.repeat(indent + 2);
  const fields = Object.entries(properties).map(([name, field]) => {
    const doc = field.description ? `${space}/** ${field.description.replaceAll('*/', '*\\/')} */\n` : '';
    const isOptional = !required.includes(name);
    const type = typeOf(field, indent + 2);
    return `${doc}${space}${/^\w+$/.test(name) ? name : JSON.stringify(name)}${isOptional ? '?' : ''}: ${type}${isOptional ? ' | undefined' : ''};`;
  });
  return `{\n${fields.join('\n')}\n${' '.repeat(indent)}}`;
}
