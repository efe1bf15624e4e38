import * as z from 'zod';
import { Change, Learning } from './entities.ts';
import { refusals } from './errors.ts';
import { Loop, LoopIteration, ReflectionWindow, SelfReflection } from './loops.ts';
import { type Method, METHODS } from './methods.ts';
import { Experience, Fact, HistoryEntry, Memory, RankedExperience, Review, Trace } from './outcomes.ts';
import { isStable, PROTOCOL_VERSION } from './protocol.ts';
import { SUBSCRIBE_METHOD } from './rpc.ts';
import { DaemonEvent, DaemonStatus } from './status.ts';
import { done } from './fields.ts';

type Json = Record<string, unknown>;

/** Entities that many answers hold. They are described once and referred to by name. */
const ENTITIES: Readonly<Record<string, z.ZodType>> = {
  Learning,
  Change,
  Memory,
  Trace,
  Review,
  Experience,
  RankedExperience,
  Fact,
  HistoryEntry,
  Loop,
  LoopIteration,
  SelfReflection,
  ReflectionWindow,
  DaemonStatus,
  DaemonEvent,
};
const NAMES = new Map<unknown, string>(Object.entries(ENTITIES).map(([name, schema]) => [schema, name]));

/** The whole protocol as an OpenRPC document, made from the schemas that check every request. */
export function openRpc(daemonVersion: string): Json {
  return {
    openrpc: '1.3.2',
    info: {
      title: 'Reflect',
      version: PROTOCOL_VERSION,
      description:
        'A local memory for coding agents. JSON-RPC 2.0 over a socket, HTTP (POST /rpc) or WebSocket (/ws), on this machine only. See docs/protocol.md.',
      license: { name: 'MIT' },
    },
    'x-daemon-version': daemonVersion,
    methods: [...(Object.keys(METHODS) as Method[]).map(describe), SUBSCRIBE],
    components: {
      schemas: Object.fromEntries(
        Object.entries(ENTITIES).map(([name, schema]) => [name, answerSchema(schema, name)]),
      ),
      errors: Object.fromEntries(
        refusals().map(({ code, name, message }) => [name, { code, message, data: { code: name } }]),
      ),
    },
    'x-event': answerSchema(DaemonEvent),
  };
}

/** The JSON schemas of one method: its input, as it may be sent, and its output. */
export function methodSchemas(name: Method): { input: Json; output: Json } {
  const { input, output } = METHODS[name];
  return { input: requestSchema(input), output: answerSchema(output, '') };
}

const SUBSCRIBE = {
  name: SUBSCRIBE_METHOD,
  summary: 'Receive events on this connection from now on: socket and WebSocket only',
  paramStructure: 'by-name',
  params: [],
  result: { name: 'result', schema: answerSchema(done) },
  'x-stable': true,
};

function describe(name: Method): Json {
  const { doc, output } = METHODS[name];
  return {
    name,
    summary: doc,
    paramStructure: 'by-name',
    params: paramsOf(name),
    result: { name: 'result', schema: answerSchema(output) },
    'x-stable': isStable(name),
  };
}

/** One entry per field. Of alternative inputs, all fields, required only where every alternative needs them. */
function paramsOf(name: Method): Json[] {
  const { anyOf, ...single } = requestSchema(METHODS[name].input);
  const inputs = (anyOf ?? [single]) as Array<{ properties?: Record<string, Json>; required?: string[] }>;
  const fields = new Map(inputs.flatMap(({ properties = {} }) => Object.entries(properties)));
  return [...fields].map(([field, { description, ...schema }]) => ({
    name: field,
    ...(description === undefined ? {} : { description }),
    required: inputs.every(({ required = [] }) => required.includes(field)),
    schema,
  }));
}

function requestSchema(schema: z.ZodType): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
  });
  return json;
}

/** A later daemon may answer with more fields. `inline` is the entity to spell out instead of naming it. */
function answerSchema(schema: z.ZodType, inline?: string): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'output',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      const name = NAMES.get(zodSchema);
      if (name === undefined || name === inline || inline === '') return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema];
      jsonSchema.$ref = `#/components/schemas/${name}`;
    },
  });
  return json;
}
