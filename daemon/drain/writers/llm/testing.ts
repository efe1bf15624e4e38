import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { heuristic } from '../heuristic.ts';
import { OWN_RUN_FOLDER } from '../../../capture/own-runs.ts';
import type { KnobValue } from '../../../ports/knob.ts';
import { getLearning } from '../../../store/learnings/learnings.ts';
import { recentRuns } from '../../../store/capture/writer-usage.ts';
import { tempFolder, tempStore } from '../../../testing/temp-home.ts';
import { drainWorld, withKnobs } from '../../testing.ts';
import { ModelWriter } from './model-writer.ts';

export const NOTE = {
  title: 'Regenerate the clients after every edit of payments.proto',
  type: 'correction',
  category: 'process',
  tags: ['protobuf'],
  confidence: 0.9,
  problem: 'payments.proto was bumped and pushed alone',
  fix: 'run make proto-gen',
  rule: 'Run make proto-gen after editing a .proto file',
  body: 'payments.proto is shared; make proto-gen writes the clients.',
  entities: [
    { name: 'payments.proto', type: 'concept' },
    { name: 'make proto-gen', type: 'tool' },
  ],
  relations: [{ source: 'make proto-gen', target: 'payments.proto', type: 'requires' }],
};
export const SAID = "no, don't bump payments.proto without regenerating the clients, run make proto-gen";

/** How the server answers one request: by saying something in the protocol it was asked in, or with this very body. */
export interface ServerReply {
  says?: string;
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** Never answers. */
  hangs?: boolean;
}

interface ServerRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** A real server for OpenAI's and Anthropic's protocols with prepared answers; the last one is repeated. */
export async function modelServer(...script: ServerReply[]) {
  const replies = [...script];
  const requests: ServerRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      requests.push({
        path,
        headers: request.headers,
        body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
      });
      const {
        says = '',
        status = 200,
        headers = {},
        body = inProtocol(path, says),
        hangs = false,
      } = (replies.length > 1 ? replies.shift() : replies[0]) ?? {};
      if (!hangs) response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    prompts: () =>
      requests.map(({ body }) => (body.messages as Array<{ content: string }>)[0]?.content ?? ''),
    script: (...next: ServerReply[]) => replies.splice(0, replies.length, ...next),
  };
}

function inProtocol(path: string, says: string): string {
  return JSON.stringify(
    path.endsWith('/v1/messages')
      ? {
          model: 'claude-test',
          content: [{ type: 'text', text: says }],
          usage: { input_tokens: 900, cache_read_input_tokens: 100, output_tokens: 50 },
        }
      : {
          model: 'gpt-test',
          choices: [{ message: { role: 'assistant', content: says } }],
          usage: { prompt_tokens: 1_000, completion_tokens: 50 },
        },
  );
}

/** A real program that stands for an agent: this script, run by node. */
export function agentCommand(script: string): string {
  const file = join(tempFolder(), 'agent.mjs');
  writeFileSync(file, script);
  chmodSync(file, 0o700);
  return JSON.stringify([process.execPath, file]);
}

interface Options {
  knobs?: Record<string, KnobValue>;
  environment?: NodeJS.ProcessEnv;
  store?: ReturnType<typeof tempStore>;
}

/** The real drain with the configured writer on a store of its own. */
export function writerWorld({ knobs: given = {}, environment = {}, store = tempStore() }: Options = {}) {
  const knobs = { REFLECT_WRITER_GATHER_SECONDS: 0, ...given };
  const stopping = new AbortController();
  const log: string[] = [];
  const writer = new ModelWriter({
    db: store.db,
    now: store.now,
    resolve: withKnobs(knobs),
    environment,
    plain: heuristic,
    scratch: join(store.paths.run, OWN_RUN_FOLDER),
    stopped: stopping.signal,
    log: {
      info: (message) => log.push(message),
      error: (message, error) => log.push(`${message} ${String(error)}`),
    },
  });
  const world = drainWorld({ store, writer, knobs });
  return {
    ...world,
    writer,
    log,
    stop: () => stopping.abort(),
    runs: () => recentRuns(store.db, 100).toReversed(),
    notes: () =>
      world.moments().flatMap(({ learningId }) => (learningId ? [getLearning(store.db, learningId)] : [])),
    /** A person says something worth a note, and it is drained. */
    async saysAndDrains(quote = SAID, at = store.now()) {
      world.say(quote, { at });
      await world.drain.run();
    },
  };
}
