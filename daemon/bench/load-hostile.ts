import { connect, type Socket } from 'node:net';
import { readRunFile } from '../platform/lock.ts';
import type { Bar } from './bars.ts';
import { makeQuestions } from './corpus.ts';
import { openClient, type RunningDaemon, sleep, startBuilt } from './daemon-process.ts';
import type { Homes } from './home.ts';
import { memoryProbe } from './probe.ts';

const MB = 1024 * 1024; // bytes
const MOST_LEFT = 40; // MB more than before, once everybody has gone
const SETTLE = 10_000; // ms; memory is given back after a few quiet seconds

interface Attack {
  name: string;
  run(socketPath: string, token: string): Promise<void>;
}

/** Deeds of mistaken or hostile clients; none leaves anything behind that the daemon has to keep. */
const ATTACKS: readonly Attack[] = [
  {
    name: '200 requests of 4 MB, half of them too large',
    run: async (path, token) => {
      for (let index = 0; index < 200; index++) {
        const query = 'x'.repeat((index % 2 === 0 ? 3.9 : 5) * MB);
        await say(path, `${JSON.stringify(request(token, 'recall.search', { query }))}\n`);
      }
    },
  },
  {
    name: '4,000 connections, 500 at a time',
    run: async (path) => {
      for (let round = 0; round < 8; round++) {
        const all = await Promise.all(Array.from({ length: 500 }, () => opened(path)));
        for (const socket of all) socket.destroy();
      }
    },
  },
  {
    name: '5,000 sessions, each in a folder of its own',
    run: async (path, token) => {
      const socket = await opened(path);
      socket.resume();
      for (let index = 0; index < 5_000; index++) {
        const payload = { session_id: `hostile-${index}`, cwd: `/nowhere/${index}`, prompt: `Part ${index}` };
        const params = { agent: 'claude-code', event: 'UserPromptSubmit', payload, withinMs: 1 };
        socket.write(`${JSON.stringify(request(token, 'hook.run', params))}\n`);
        if (index % 100 === 99) await sleep(20);
      }
      socket.destroy();
    },
  },
  {
    name: '30 clients that ask and listen, and never read',
    run: async (path, token) => {
      const all = await Promise.all(Array.from({ length: 30 }, () => opened(path)));
      for (let round = 0; round < 20; round++) {
        for (const socket of all) {
          socket.write(`${JSON.stringify(request(token, 'events.subscribe', {}))}\n`);
          socket.write(`${JSON.stringify(request(token, 'rpc.discover', {}))}\n`.repeat(4));
        }
        await sleep(100);
      }
      for (const socket of all) socket.destroy();
    },
  },
];

const request = (token: string, method: string, params: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
  token,
});

function opened(path: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.pause().on('error', () => socket.destroy());
    socket.once('connect', () => resolve(socket)).once('close', () => resolve(socket));
  });
}

/** Says something and waits for the first words that come back. */
async function say(path: string, text: string): Promise<void> {
  const socket = await opened(path);
  const answered = new Promise<void>((resolve) =>
    socket.once('data', () => resolve()).once('close', () => resolve()),
  );
  socket.resume().write(text);
  await answered;
  socket.destroy();
}

/** Attacks a daemon in every way and says how much memory it keeps afterwards. */
export async function benchHostile(
  homes: Homes,
  environment: NodeJS.ProcessEnv,
  size: number,
  tell: (line: string) => void,
): Promise<Bar[]> {
  const probe = memoryProbe(homes.folder('hostile-probe'));
  const daemon = await startBuilt(await homes.copy(size, 'hostile'), {
    ...environment,
    ...probe.environment,
  });
  try {
    const ask = async () => {
      const { call, close } = await openClient(daemon.paths);
      for (const query of makeQuestions(50, 9)) await call('recall.search', { query, global: true });
      close();
    };
    const rested = async () => (await sleep(SETTLE), (await probe.look(daemon.pid)).rssMb);
    await ask();
    const before = await rested();
    let left = before;
    for (const { name, run } of ATTACKS) {
      const { socket, token } = runOf(daemon);
      await run(socket, token);
      const peak = (await probe.look(daemon.pid)).rssMb;
      left = await rested();
      tell(
        `${name}: ${Math.round(peak)} MB right after, ${Math.round(left)} MB at rest, ${Math.round(before)} before`,
      );
    }
    await ask(); // it still answers
    return [
      {
        what: 'memory kept after hostile requests',
        limit: MOST_LEFT,
        unit: 'MB',
        measured: left - before,
      },
    ];
  } finally {
    await daemon.stop();
  }
}

function runOf({ paths }: RunningDaemon) {
  const run = readRunFile(paths.runFile);
  if (!run) throw new Error('the daemon has gone');
  return run;
}
