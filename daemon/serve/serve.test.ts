import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { connectTo } from '../client/connect.ts';
import { startDaemon } from '../daemon.ts';
import { readRunFile } from '../platform/lock.ts';
import { pathsOf } from '../platform/paths.ts';
import { runDaemon, type RunningDaemon, sharedDaemon } from '../testing/running-daemon.ts';

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

function http(
  { run }: RunningDaemon,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: run.port,
        path,
        method: options.method ?? 'GET',
        headers: options.headers ?? {},
      },
      (response) => {
        let body = '';
        response
          .setEncoding('utf8')
          .on('data', (chunk: string) => (body += chunk))
          .on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
      },
    );
    outgoing.on('error', reject).end(options.body);
  });
}

const call = (daemon: RunningDaemon, body: unknown, headers: Record<string, string> = {}) =>
  http(daemon, '/rpc', {
    method: 'POST',
    headers: { authorization: `Bearer ${daemon.run.token}`, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const statusCall = { jsonrpc: '2.0', id: 7, method: 'status' };
const errorOf = (answer: Answer) =>
  (
    JSON.parse(answer.body) as {
      error: { code: number; message: string; data: { code: string; detail?: string } };
    }
  ).error;

/** Writes to the unix socket and gives the first line that comes back. */
function socketSays({ run }: RunningDaemon, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(run.socket, () => socket.write(text));
    let answer = '';
    socket
      .setEncoding('utf8')
      .on('data', (chunk: string) => {
        answer += chunk;
        if (answer.includes('\n')) socket.destroy();
      })
      .on('close', () => resolve(answer.split('\n')[0] ?? ''))
      .on('error', reject);
  });
}

/** Connects, writes, and resets the connection with the reply still on its way. */
const sendAndReset = (port: number, text: string): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text);
      socket.write('x'.repeat(200_000));
      setImmediate(() => socket.resetAndDestroy());
    });
    socket.on('error', () => {}).on('close', () => resolve());
  });

const shared = sharedDaemon();

describe('HTTP', () => {
  test('answers a call that carries the token', async () => {
    const answer = await call(shared(), statusCall);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({
      jsonrpc: '2.0',
      id: 7,
      result: { learnings: 0, capture: expect.stringMatching(/watching|back-filling/) as string },
    });
  });

  test('refuses a call with no token or a wrong one', async () => {
    const daemon = shared();
    for (const authorization of ['', 'Bearer nonsense', `Bearer ${daemon.run.token}x`]) {
      const answer = await call(daemon, statusCall, { authorization });
      expect([answer.status, errorOf(answer).data.code]).toEqual([401, 'unauthorized']);
    }
  });

  test('refuses another host or origin, even with the token: a page elsewhere may have pointed its name here', async () => {
    const daemon = shared();
    for (const headers of [
      { host: 'evil.example:80' },
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { host: `evil.example:${daemon.run.port}` },
    ]) {
      expect((await call(daemon, statusCall, headers)).status).toBe(403);
    }
    expect((await call(daemon, statusCall, { origin: `http://127.0.0.1:${daemon.run.port}` })).status).toBe(
      200,
    );
  });

  test.each([
    ['no JSON', '{', 'bad-json'],
    ['no JSON-RPC', '{"hello":1}', 'bad-request'],
    ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"learnings.burn"}', 'unknown-method'],
    ['a method of the prototype', '{"jsonrpc":"2.0","id":1,"method":"constructor"}', 'unknown-method'],
    [
      'an unknown field',
      '{"jsonrpc":"2.0","id":1,"method":"learnings.get","params":{"id":"lrn-x-1","colour":"red"}}',
      'bad-input',
    ],
    [
      'a wrong type',
      '{"jsonrpc":"2.0","id":1,"method":"learnings.list","params":{"limit":"many"}}',
      'bad-input',
    ],
    [
      'an unknown id',
      '{"jsonrpc":"2.0","id":1,"method":"learnings.get","params":{"id":"lrn-nowhere-000000"}}',
      'not-found',
    ],
    [
      'a knob out of range',
      '{"jsonrpc":"2.0","id":1,"method":"recall.search","params":{"query":"x","knobs":{"RECALL_RRF_K":-3}}}',
      'bad-knob',
    ],
  ])('answers %s with a closed code and a sentence', async (_what, body, code) => {
    const error = errorOf(await call(shared(), body));
    expect(error.data.code).toBe(code);
    expect(error.message).toMatch(/^[A-Z].+\.( \(.+\))?$/);
  });

  test('names the field that is wrong', async () => {
    const answer = await call(shared(), {
      jsonrpc: '2.0',
      id: 1,
      method: 'learnings.create',
      params: { note: { title: 'x', confidence: 7 } },
    });
    expect(errorOf(answer).data.detail).toContain('note.confidence');
  });

  test('refuses a body over the limit', async () => {
    const answer = await call(
      shared(),
      `{"jsonrpc":"2.0","id":1,"method":"status","params":"${'x'.repeat(5 * 1024 * 1024)}"}`,
    );
    expect([answer.status, errorOf(answer).data.code]).toEqual([413, 'too-large']);
  });

  test('a body over the limit is refused on a connection that stays usable', async () => {
    const daemon = shared();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const post = (body: string) =>
      new Promise<number>((resolve, reject) => {
        const headers = { authorization: `Bearer ${daemon.run.token}` };
        request(
          { agent, host: '127.0.0.1', port: daemon.run.port, path: '/rpc', method: 'POST', headers },
          (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)),
        )
          .on('error', reject)
          .end(body);
      });
    expect(await post('x'.repeat(6 * 1024 * 1024))).toBe(413);
    expect(await post(JSON.stringify(statusCall))).toBe(200);
  });

  test('a value nested too deeply is the fault of the request, not ours', async () => {
    const deep = `${'{"a":'.repeat(6_000)}1${'}'.repeat(6_000)}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"learnings.create","params":{"note":{"title":"x","metadata":{"deep":${deep}}}}}`;
    expect(errorOf(await call(shared(), body)).data.code).toBe('bad-input');
  });

  test('clients that vanish while they are refused or answered end nothing', async () => {
    const daemon = shared();
    const failures: unknown[] = [];
    const note = (error: unknown) => failures.push(error);
    process.on('uncaughtException', note);
    onTestFinished(() => void process.off('uncaughtException', note));
    const upgrade = [
      'GET /ws HTTP/1.1',
      `Host: 127.0.0.1:${daemon.run.port}`,
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      '',
      '',
    ].join('\r\n');
    for (const sent of [upgrade, 'GET / HTTP/1.1\r\n', 'rubbish\r\n\r\n'])
      for (let round = 0; round < 40; round++) await sendAndReset(daemon.run.port, sent);
    expect((await daemon.call('status', {})).learnings).toBe(0);
    await new Promise((done) => setTimeout(done, 100));
    expect(failures).toEqual([]);
  });

  test('a one-time code lets one browser in, once', async () => {
    const daemon = shared();
    const { url } = await daemon.call('ui.code', {});
    const path = url.slice(url.indexOf('/?'));
    const first = await http(daemon, path);
    expect([first.status, first.headers.location]).toEqual([
      302,
      expect.stringMatching(/^\/\?session=[\w-]{43}$/) as string,
    ]);
    const cookie = String(first.headers['set-cookie']).split(';')[0] ?? '';
    expect(String(first.headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Strict; Path=\/; Max-Age=43200/);
    expect((await http(daemon, path)).status).toBe(403);
    expect((await http(daemon, '/')).status).toBe(401);
    expect((await http(daemon, '/assets/none.js', { headers: { cookie } })).status).toBe(404);
    // The cookie goes to every port of this host, so whoever listens there has it too.
    for (const door of ['/rpc', '/mcp'])
      expect(
        (await http(daemon, door, { method: 'POST', headers: { cookie }, body: JSON.stringify(statusCall) }))
          .status,
      ).toBe(401);
  });

  test('a page needs cookie, origin and secret, and cannot choose what runs; its session can be ended', async () => {
    const daemon = await runDaemon();
    const { port } = daemon.run;
    const { url } = await daemon.call('ui.code', {});
    const { headers } = await http(daemon, url.slice(url.indexOf('/?')));
    const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
    const secret = String(headers.location).split('session=')[1] ?? '';
    const origin = `http://127.0.0.1:${port}`;
    const open = (protocol: string, sent: Record<string, string>) =>
      new Promise<WebSocket>((resolve, reject) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, protocol, { headers: sent });
        socket.once('open', () => resolve(socket)).once('error', reject);
      });
    await expect(open('reflect.none', { cookie, origin })).rejects.toThrow('403');
    await expect(open(`reflect.${secret}`, { cookie })).rejects.toThrow('403');
    await expect(open(`reflect.${secret}`, { origin })).rejects.toThrow('403');
    const page = await open(`reflect.${secret}`, { cookie, origin });
    const ask = async (method: string, params: object) => {
      page.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
      return new Promise<string>((resolve) => page.once('message', (data) => resolve(String(data))));
    };
    expect(await ask('status', {})).toContain('"result"');
    expect(await ask('config.set', { name: 'RECALL_MMR', value: false })).toContain('"result"');
    const command = { name: 'REFLECT_EVENTS_ON_LEARNING_CHANGED', value: '["evil"]' };
    expect(await ask('config.set', command)).toContain('cannot be changed from a browser');
    // Beside an app whose person agrees, it can.
    const app = await connectTo(pathsOf(daemon.home));
    await app?.connection.subscribe((event) => {
      if (event.type !== 'confirmation.asked') return;
      const answer = (given: string) =>
        app.connection.send('confirmations.answer', { id: event.id, answer: given });
      void answer('asking').then(() => answer('allow'));
    });
    const endpoint = { name: 'REFLECT_WRITER_ENDPOINT', value: 'http://127.0.0.1:9' };
    expect(await ask('config.set', endpoint)).toContain('"result"');
    app?.close();
    // A second link opens a second tab of the same browser, with a secret of its own.
    const second = await daemon.call('ui.code', {});
    const opened = await http(daemon, second.url.slice(second.url.indexOf('/?')), { headers: { cookie } });
    const other = String(opened.headers.location).split('session=')[1] ?? '';
    expect(String(opened.headers['set-cookie'])).toContain(cookie);
    expect(other).not.toBe(secret);
    (await open(`reflect.${other}`, { cookie, origin })).terminate();
    expect(await ask('status', {})).toContain('"result"');
    expect((await http(daemon, '/welcome')).body).toContain('reflect ui');
    await ask('events.subscribe', {});
    const heard: string[] = [];
    page.on('message', (data) => heard.push(String(data)));
    expect(await daemon.call('ui.revoke', {})).toEqual({ ended: 2 });
    await daemon.call('learnings.create', { note: { title: 'After the end', project: 'p' } });
    expect(await ask('status', {})).toContain('"error"'); // an event would have come before it
    expect(heard.join()).not.toContain('learning.changed');
    page.terminate();
    // The token of programs is another one now; whoever was connected goes on.
    const renewed = readRunFile(pathsOf(daemon.home).runFile);
    expect(renewed?.token).not.toBe(daemon.run.token);
    expect((await call(daemon, statusCall)).status).toBe(401);
    expect((await call({ ...daemon, run: renewed ?? daemon.run }, statusCall)).status).toBe(200);
    expect((await daemon.call('status', {})).notices).toEqual([]);
  });

  test('an open tab is let in again after a restart, on the same port; on another port no session counts', async () => {
    const first = await runDaemon();
    const { port, token } = first.run;
    const { url } = await first.call('ui.code', {});
    const { headers } = await http(first, url.slice(url.indexOf('/?')));
    const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
    await first.stop();

    const second = await runDaemon({}, first.home);
    expect([second.run.port, second.run.token === token]).toEqual([port, false]);
    expect((await http(second, '/assets/none.js', { headers: { cookie } })).status).toBe(404);
    expect(readFileSync(join(first.home, 'run', 'browsers.json'), 'utf8')).not.toContain(
      cookie.split('=')[1],
    );
    await second.stop();

    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const third = await runDaemon({}, first.home);
    expect(third.run.port).not.toBe(port);
    const renamed = cookie.replace(String(port), String(third.run.port));
    expect((await http(third, '/', { headers: { cookie: renamed } })).status).toBe(401);
  });

  test('tells a stranger what answers here: a page to a browser, JSON to a program, and no secret to either', async () => {
    const daemon = shared();
    const page = await http(daemon, '/', { headers: { accept: 'text/html,*/*' } });
    expect(page.status).toBe(401);
    expect(page.body).toMatch(/reflect ui.*docs\/protocol\.md/s);
    const welcome = await http(daemon, '/');
    expect(JSON.parse(welcome.body)).toMatchObject({ name: 'Reflect', docs: 'docs/protocol.md' });
    expect(page.body + welcome.body).not.toContain(daemon.run.token);
    const posted = await http(daemon, '/', { method: 'POST', body: JSON.stringify(statusCall) });
    expect([posted.status, errorOf(posted).message]).toEqual([
      404,
      expect.stringContaining('POST') as string,
    ]);
    for (const headers of [{ host: 'evil.example' }, { origin: 'http://evil.example' }])
      expect((await http(daemon, '/', { headers })).status).toBe(403);
  });

  test('describes itself to whoever has the token', async () => {
    const { run, ...daemon } = shared();
    const answer = await call({ run, ...daemon }, { jsonrpc: '2.0', id: 1, method: 'rpc.discover' });
    const { result } = JSON.parse(answer.body) as { result: { methods: Array<{ name: string }> } };
    expect(result).toMatchObject({ openrpc: '1.3.2', 'x-daemon-version': run.version });
    expect(result.methods.map(({ name }) => name)).toContain('recall.search');
  });

  test('takes snake_case field names', async () => {
    const answer = await call(shared(), {
      jsonrpc: '2.0',
      id: 1,
      method: 'memories.query',
      params: { task: 'Retry a request', lambda_: 0.6, similarity_threshold: 0.3 },
    });
    expect(JSON.parse(answer.body)).toMatchObject({ result: { memories: [] } });
  });

  test('serves nothing outside the folder of the UI', async () => {
    const daemon = shared();
    for (const path of [
      '/../../package.json',
      '/%2e%2e/%2e%2e/package.json',
      '/..%2f..%2fpackage.json',
      '/%00',
    ]) {
      expect(
        (await http(daemon, path, { headers: { authorization: `Bearer ${daemon.run.token}` } })).status,
      ).toBe(404);
    }
  });
});

describe('the unix socket', () => {
  test('wants the token before it answers', async () => {
    const daemon = shared();
    expect(await socketSays(daemon, `${JSON.stringify(statusCall)}\n`)).toContain('"unauthorized"');
    expect(
      await socketSays(daemon, `${JSON.stringify({ ...statusCall, token: daemon.run.token })}\n`),
    ).toContain('"result"');
  });

  test('survives rubbish and refuses a line that never ends', async () => {
    const daemon = shared();
    expect(await socketSays(daemon, '\u0000\u0001garbage\n')).toContain('"bad-json"');
    expect(await socketSays(daemon, 'x'.repeat(5 * 1024 * 1024))).toContain('"too-large"');
    expect((await daemon.call('status', {})).learnings).toBe(0);
  });

  test('and the run file are readable by their owner only, and gone after a stop', async () => {
    const daemon = await runDaemon();
    const runFile = join(daemon.home, 'run', 'daemon.json');
    for (const file of [daemon.run.socket, runFile]) expect(statSync(file).mode & 0o777).toBe(0o600);
    await daemon.stop();
    expect([existsSync(runFile), existsSync(daemon.run.socket)]).toEqual([false, false]);
  });
});

describe('events', () => {
  test('reach a WebSocket that subscribed, as they happen', async () => {
    const daemon = await runDaemon();
    const socket = new WebSocket(`ws://127.0.0.1:${daemon.run.port}/ws`, {
      headers: { authorization: `Bearer ${daemon.run.token}` },
    });
    const heard: Array<Record<string, unknown>> = [];
    socket.on('message', (data) => heard.push(JSON.parse(String(data)) as Record<string, unknown>));
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'events.subscribe' }));
    await expect.poll(() => heard.length).toBe(1);
    const { learning } = await daemon.call('learnings.create', {
      note: { title: 'Use pnpm, never npm', scope: 'global' },
    });
    await expect
      .poll(() => heard)
      .toContainEqual({
        jsonrpc: '2.0',
        method: 'event',
        params: { type: 'learning.changed', id: learning.id, kind: 'create' },
      });
    socket.terminate();
  });

  test('a WebSocket without cookie or token, or from another origin, is refused', async () => {
    const daemon = shared();
    for (const headers of [
      {},
      { authorization: `Bearer ${daemon.run.token}`, origin: 'http://evil.example' },
    ]) {
      const socket = new WebSocket(`ws://127.0.0.1:${daemon.run.port}/ws`, { headers });
      await expect(
        new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject)),
      ).rejects.toThrow('403');
    }
  });
});

test('a second daemon on the same home steps back and says who holds it', async () => {
  const { home, run } = await runDaemon();
  expect(await startDaemon({ home, environment: {} })).toMatchObject({
    state: 'held',
    holder: { pid: run.pid },
  });
});

test('what a daemon learned is there after a restart', async () => {
  const first = await runDaemon();
  const { learning } = await first.call('learnings.create', {
    note: { title: 'Run make proto-gen after editing a .proto', fix: 'make proto-gen', scope: 'global' },
  });
  await first.stop();
  const second = await runDaemon({}, first.home);
  expect(await second.call('learnings.get', { id: learning.id })).toEqual(learning);
});
