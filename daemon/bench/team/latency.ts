import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { TestServer } from '../../testing/postgres.ts';
import { sleep } from '../daemon-process.ts';
import type { Homes } from '../home.ts';
import { percentile, timed } from '../statistics.ts';
import { makeSpace, Member, type MemberOptions, persistently } from './members.ts';
import { type Line, milliseconds } from './table.ts';

const PROJECT = 'github.com/acme/shop';
const SPACE = 'latency';
const BAR = 1_000; // ms
const SLOW = 100; // ms that every packet takes to a slow server, and again back
const ROUNDS = 3;

const WORDS = 'harbour lantern meadow quartz saffron timber velvet walnut cobalt ember'.split(' ');
/** Words that no other note has, so that only this note can be the answer. */
const subject = (number: number) =>
  `${WORDS[number % 10]} ${WORDS[Math.floor(number / 10) % 10]} ${WORDS[Math.floor(number / 100) % 10]} number${number}`;

/**
 * From publishing on one machine to the first recall on another that returns the note; and what a slow or hanging
 * server changes.
 */
export async function publishToRecall(
  server: TestServer,
  homes: Homes,
  { size, samples }: { size: number; samples: number },
): Promise<Line[]> {
  await makeSpace(server, SPACE, ['ana', 'bo', 'far']);
  const proxy = await startProxy(server.port);
  const member = async (login: string, more: Partial<MemberOptions>) =>
    new Member(server, login, { paths: await homes.copy(size, `latency-${login}`), ...more });
  const ana = await member('ana', { withModels: true });
  const bo = await member('bo', { withModels: true });
  const far = await member('far', { port: proxy.port });
  const all = [ana, bo, far];
  try {
    for (const each of all) await each.start();
    for (const each of all) await each.join(SPACE);
    let number = 0;
    const publish = async (from: Member) => {
      const text = subject(number++);
      const { learning } = await from.call('learnings.create', {
        note: { title: `Keep the ${text} apart`, rule: `The ${text} is its own thing`, project: PROJECT },
      });
      const start = performance.now();
      const published = from.call('team.publish', { space: SPACE, ids: [learning.id] });
      return { text, title: learning.title, start, published };
    };
    const found = async (
      at: Member,
      { text, title, start, published }: Awaited<ReturnType<typeof publish>>,
    ) => {
      for (;;) {
        const { hits } = await at.call('recall.search', { query: `what about the ${text}`, global: true });
        if (hits.some(({ learning }) => learning.title === title)) break;
        await sleep(5);
      }
      const took = performance.now() - start;
      await published;
      return took;
    };
    const times: number[] = [];
    for (let sample = 0; sample < samples; sample++) times.push(await found(bo, await publish(ana)));

    proxy.delay(SLOW);
    const slow: number[] = [];
    for (let sample = 0; sample < Math.ceil(samples / 5); sample++) {
      if (sample % 4 === 3) proxy.cut();
      slow.push(await found(bo, await publish(far)));
    }
    proxy.delay(0);
    const { normal, hanging, isThere } = await whileHanging(far, bo, proxy, publish);
    const p95 = percentile(times, 0.95);
    return [
      {
        what: 'publish on one machine → recall on another, p50 / p95',
        measured: `${milliseconds(percentile(times, 0.5))} / ${milliseconds(p95)}`,
        bar: '≤ 1 s',
        met: p95 <= BAR,
      },
      {
        what: `  the same from a machine ${2 * SLOW} ms away whose connection is cut now and then`,
        measured: `${milliseconds(percentile(slow, 0.5))} / ${milliseconds(percentile(slow, 0.95))}`,
      },
      {
        what: 'recall p95 while the server hangs ÷ before',
        measured: `${(hanging / normal).toFixed(2)} (${milliseconds(hanging)} / ${milliseconds(normal)})`,
        bar: '≤ 1.1',
        met: hanging / normal <= 1.1,
      },
      {
        what: '  published meanwhile, and on the other machine when the server is back',
        measured: isThere ? 'yes' : 'no',
        bar: 'yes',
        met: isThere,
      },
    ];
  } finally {
    await Promise.all(all.map((each) => each.stop()));
    proxy.close();
  }
}

/** A server that takes everything and answers nothing: local work goes on, and nothing is lost. */
async function whileHanging(
  far: Member,
  bo: Member,
  proxy: Proxy,
  publish: (from: Member) => Promise<{ title: string; published: Promise<unknown> }>,
): Promise<{ normal: number; hanging: number; isThere: boolean }> {
  const recalls = async (count: number) => {
    const times: number[] = [];
    for (let asked = 0; asked < count; asked++) {
      const query = `how is the ${subject(500 + asked)} kept`;
      times.push(await timed(() => far.call('recall.search', { query, global: true })));
      await sleep(10);
    }
    return times;
  };
  await recalls(20);
  const [normal, hanging]: [number[], number[]] = [[], []];
  let title = '';
  for (let round = 0; round < ROUNDS; round++) {
    normal.push(...(await recalls(40)));
    proxy.hang(true);
    const waiting = await publish(far);
    hanging.push(...(await recalls(40)));
    proxy.hang(false);
    proxy.cut();
    ({ title } = waiting);
    await waiting.published.catch(() => {}); // said to be sent later
  }
  await persistently(async () => {
    const { items } = await bo.call('learnings.list', { text: title });
    if (!items.some((learning) => learning.title === title)) throw new Error('not yet');
  });
  return { normal: percentile(normal, 0.95), hanging: percentile(hanging, 0.95), isThere: true };
}

interface Proxy {
  port: number;
  /** Every packet takes this much longer, either way. */
  delay: (ms: number) => void;
  /** Ends every connection. */
  cut: () => void;
  /** Takes everything and passes nothing on. */
  hang: (isHanging: boolean) => void;
  close: () => void;
}

/** Stands between a daemon and the server, as a bad network does. */
async function startProxy(target: number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let [delayMs, isHanging] = [0, false];
  const pipe = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (chunk) => {
      if (isHanging) return;
      if (delayMs > 0) setTimeout(() => to.destroyed || to.write(chunk), delayMs);
      else to.write(chunk);
    });
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const proxy = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    pipe(near, far);
    pipe(far, near);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const cut = () => sockets.forEach((socket) => socket.destroy());
  return {
    port: address.port,
    delay: (ms) => (delayMs = ms),
    hang: (hangs) => (isHanging = hangs),
    cut,
    close: () => {
      cut();
      proxy.close();
    },
  };
}
