import type * as z from 'zod';
import { AGENT_METHODS } from './agent-methods.ts';
import { ARCHIVE_METHODS } from './archive-methods.ts';
import { BACKUP_METHODS } from './backup-methods.ts';
import { CANDIDATE_METHODS } from './candidate-methods.ts';
import { CAPTURE_METHODS } from './capture-methods.ts';
import { DISTILL_METHODS } from './distill-methods.ts';
import { DaemonError, type ErrorCode } from './errors.ts';
import { GRAPH_METHODS } from './graph-methods.ts';
import { IMPORT_METHODS } from './import-methods.ts';
import { JUDGE_METHODS } from './judge-methods.ts';
import { LEARNING_METHODS } from './learning-methods.ts';
import { OUTCOME_METHODS } from './outcome-methods.ts';
import { PROTOCOL_METHODS } from './protocol-methods.ts';
import { PRIVACY_METHODS } from './privacy-methods.ts';
import { RECALL_METHODS } from './recall-methods.ts';
import { tolerant } from './schema.ts';
import { SKILL_METHODS } from './skill-methods.ts';
import { SLOT_METHODS } from './slot-methods.ts';
import { SYSTEM_METHODS } from './system-methods.ts';
import { TEAM_METHODS } from './team-methods.ts';

/** Everything a client may call. CLI commands, MCP tools and the renderer's client are derived from this table. */
export const METHODS = {
  ...SYSTEM_METHODS, // status writers store daemon ui documents privacy config ports models
  ...RECALL_METHODS, // recall corpus
  ...GRAPH_METHODS, // graph
  ...OUTCOME_METHODS, // memories traces reviews experience facts history loops reflections
  ...DISTILL_METHODS, // distill principles observations conventions persona skills
  ...SKILL_METHODS, // skills
  ...LEARNING_METHODS, // learnings changes projects inbox merges knowledge gaps
  ...CANDIDATE_METHODS, // candidates
  ...JUDGE_METHODS, // judge
  ...SLOT_METHODS, // slots
  ...CAPTURE_METHODS, // capture hook uses sessions
  ...ARCHIVE_METHODS, // archive
  ...IMPORT_METHODS, // imports
  ...BACKUP_METHODS, // backups
  ...TEAM_METHODS, // team
  ...AGENT_METHODS, // agents
  ...PRIVACY_METHODS, // delete and ignore: learnings sessions projects capture
  ...PROTOCOL_METHODS, // rpc
};

export type Method = keyof typeof METHODS;
export type Input<M extends Method> = z.input<(typeof METHODS)[M]['input']>;
/** The input as it reaches its handler: checked, and with its defaults. */
export type Asked<M extends Method> = z.output<(typeof METHODS)[M]['input']>;
export type Output<M extends Method> = z.output<(typeof METHODS)[M]['output']>;
export type Call = <M extends Method>(method: M, input: Input<M>) => Promise<Output<M>>;

export type Handlers = {
  [M in Method]: (input: Asked<M>) => Output<M> | Promise<Output<M>>;
};

type Refusal = { ok: false; code: ErrorCode; detail?: string | undefined };
/** Failures travel as values: Electron keeps only the `message` of what a handler throws. */
export type Reply = { ok: true; value: unknown } | Refusal;
export type Send = (method: string, input: unknown) => Promise<Reply>;

export function isMethod(name: string): name is Method {
  return Object.hasOwn(METHODS, name);
}

/** The one client. Socket, IPC, browser and tests differ only in how they send; tests also check replies strictly. */
export function createClient(send: Send, { strict = false } = {}): Call {
  const readers = new Map<Method, z.ZodType>();
  const readerOf = (method: Method): z.ZodType => {
    const reader =
      readers.get(method) ?? (strict ? METHODS[method].output : tolerant(METHODS[method].output));
    readers.set(method, reader);
    return reader;
  };
  return async (method, input) => {
    const reply = await send(method, input);
    if (!reply.ok) throw new DaemonError(reply.code, reply.detail);
    const answer = readerOf(method).safeParse(reply.value);
    if (answer.success) return answer.data as Output<typeof method>; // by that method's own schema; TypeScript cannot correlate the two
    const [issue] = answer.error.issues;
    throw new DaemonError('unreadable', `${method}: ${issue?.path.join('.')} ${issue?.message}`);
  };
}
