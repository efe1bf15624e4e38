import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LEFT_OUT, type Peer, type PeerDocument } from './peer.ts';

const SLICE = 1_000; // notes
const TIMEOUT_MS = 30_000;

/**
 * Claude Code's best-known memory. A model behind a network writes its observations, so here the notes are imported as
 * such. Its vectors need a Python server; without one it searches by words.
 */
export const claudeMem: Peer = {
  name: 'claude-mem, words only',
  packages: {
    'claude-mem': '13.25.3',
    zod: '4.4.3',
    [`@oven/bun-${process.platform}-${process.arch}`]: '1.4.4',
  },
  overrides: { 'better-auth': LEFT_OUT, '@better-auth/api-key': LEFT_OUT }, // of its server for teams
  byMeaning: false,
  most: 10_000, // it takes in some hundred notes a second
  async open(modules, folder, documents) {
    const port = await freePort();
    const address = `http://127.0.0.1:${port}/api`;
    const server = start(modules, folder, port);
    const byText = new Map(documents.map(({ id, text }) => [text, id]));
    try {
      await ready(address, server);
      for (let from = 0; from < documents.length; from += SLICE)
        await post(`${address}/import`, imported(documents.slice(from, from + SLICE), from));
    } catch (error) {
      server.kill();
      throw error;
    }
    return {
      async search(text, _vector, limit) {
        const asked = new URLSearchParams({ query: text, limit: String(limit), format: 'json' });
        const answer = await fetch(`${address}/search?${asked.toString()}`);
        const { observations } = (await answer.json()) as { observations: Array<{ narrative: string }> };
        return observations.map(({ narrative }) => byText.get(narrative) ?? '');
      },
      close: () => void server.kill(),
    };
  },
};

function start(modules: string, folder: string, port: number): ChildProcess {
  const installed = join(modules, 'node_modules');
  const bun = join(installed, '@oven', `bun-${process.platform}-${process.arch}`, 'bin', 'bun');
  const main = join(installed, 'claude-mem', 'plugin', 'scripts', 'worker-service.cjs');
  return spawn(bun, [main, '--daemon'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      HOME: folder,
      CLAUDE_MEM_DATA_DIR: folder,
      CLAUDE_MEM_WORKER_PORT: String(port),
      CLAUDE_MEM_CHROMA_ENABLED: 'false',
      DO_NOT_TRACK: '1',
    },
  });
}

async function ready(address: string, server: ChildProcess): Promise<void> {
  let failed = '';
  server.once('error', ({ message }) => (failed = message));
  const until = performance.now() + TIMEOUT_MS;
  while (performance.now() < until) {
    await sleep(100);
    if (failed || server.exitCode !== null) throw new Error(failed || 'it has ended');
    const answer = await fetch(`${address}/health`).catch(() => null);
    const { initialized = false } = ((await answer?.json()) ?? {}) as { initialized?: boolean };
    if (initialized) return;
  }
  throw new Error('it did not start');
}

const BEGAN = Date.UTC(2026, 0, 1);

/** Notes as it exports and imports them, all of one session and none of the same moment: those count as one. */
function imported(documents: readonly PeerDocument[], first: number): object {
  const of = { memory_session_id: 'bench', project: 'bench' };
  const none = {
    subtitle: '',
    facts: '[]',
    concepts: '[]',
    files_read: '[]',
    files_modified: '[]',
    text: null,
  };
  return {
    sessions: [
      {
        ...of,
        content_session_id: 'bench',
        user_prompt: '',
        status: 'completed',
        started_at: new Date(BEGAN).toISOString(),
        started_at_epoch: BEGAN,
        completed_at: null,
        completed_at_epoch: null,
      },
    ],
    summaries: [],
    prompts: [],
    observations: documents.map(({ text: narrative }, at) => ({
      ...of,
      ...none,
      created_at: new Date(BEGAN + first + at).toISOString(),
      created_at_epoch: BEGAN + first + at,
      type: 'discovery',
      title: narrative.split('\n', 1)[0],
      narrative,
      prompt_number: at,
      discovery_tokens: 0,
    })),
  };
}

async function post(url: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`it answers ${answer.status}: ${(await answer.text()).slice(0, 200)}`);
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
