import { expect, test } from 'vitest';
import type { Send } from '#contract/methods.ts';
import { KNOBS } from '../registry.ts';
import { Confirmations } from './confirmations.ts';
import { fromBrowser, isSensitive } from './from-browser.ts';

/** A page's calls; the app answers each question in this way, or is not there. */
function pageWith(answer: 'allow' | 'refuse' | null) {
  const asked: string[] = [];
  const done: string[] = [];
  let time = 0;
  const confirmations = new Confirmations(
    ({ id, change }) => {
      asked.push(change);
      if (answer === null) return;
      confirmations.answer(id, 'asking');
      confirmations.answer(id, answer);
    },
    () => time,
    1,
  );
  const dispatch: Send = (method) => {
    done.push(method);
    return Promise.resolve({ ok: true, value: null });
  };
  const send = fromBrowser(dispatch, (change) => confirmations.ask(change));
  return { send, asked, done, confirmations, wait: (ms: number) => (time += ms) };
}

test('a page changes what runs only after a person allowed it, who is shown the change without secrets', async () => {
  const page = pageWith('allow');
  const value = ['curl', '-H', `Authorization: Bearer ghp_${'aB3dE5gH7'.repeat(4)}`];
  await page.send('config.set', { name: 'REFLECT_WRITER_COMMAND', value });
  await page.send('writers.use', { id: 'codex' });
  await page.send('config.set', { name: 'RECALL_MMR', value: false });
  expect(page.done).toEqual(['config.set', 'writers.use', 'config.set']);
  expect(page.asked).toEqual([
    expect.stringMatching(/^REFLECT_WRITER_COMMAND to \["curl".*\[redacted/),
    'the writer to "codex"',
  ]);
});

test('a refusal is final for a while, and a page cannot answer for the person', async () => {
  const page = pageWith('refuse');
  const change = () => page.send('writers.use', { id: 'codex' });
  expect(await change()).toMatchObject({ ok: false, code: 'read-only' });
  expect(await change()).toMatchObject({ ok: false });
  expect(page.asked).toHaveLength(1);
  page.wait(61_000);
  await change();
  expect(page.asked).toHaveLength(2);
  expect(await page.send('confirmations.answer', { id: 'x', answer: 'allow' })).toMatchObject({ ok: false });
  expect(page.done).toEqual([]);
});

test.each([
  ['config.set', { name: 'REFLECT_WRITER_COMMAND', value: '["evil"]' }],
  ['config.set', { name: 'REFLECT_WRITER_ENDPOINT', value: 'https://evil.test' }],
  ['config.set', { name: 'REFLECT_EVENTS_ON_LEARNING_CHANGED', value: '["evil"]' }],
  ['writers.use', { id: 'codex' }],
  ['config.set', { name: 'REFLECT_WRITER_KEY_VARIABLE', value: 'AWS_SECRET_ACCESS_KEY' }],
  ['config.set', { name: 'REFLECT_CE_MODEL', value: '/tmp/downloaded' }],
  ['keys.trust', { key: 'x', name: 'y' }],
  ['team.inspect', { url: 'postgres://evil.test/notes', space: 'acme' }],
  ['team.join', { url: 'postgres://evil.test/notes', space: 'acme' }],
  ['team.syncGit', { folder: '/tmp/downloaded' }],
])('%s %j needs a person', async (method, input) => {
  const page = pageWith('refuse');
  expect(await page.send(method, input)).toMatchObject({ ok: false, code: 'read-only' });
  expect([page.asked.length, page.done]).toEqual([1, []]);
});

test('a server that a person allowed is not asked about again, another one is', async () => {
  const page = pageWith('allow');
  const url = 'postgres://me@db.acme.test/notes';
  await page.send('team.inspect', { url, space: 'acme' });
  await page.send('team.join', { url, space: 'acme' });
  expect(page.asked).toEqual([`the server that your team shares notes on to "${url}"`]);
  await page.send('team.join', { url: `${url}2`, space: 'acme' });
  expect(page.asked).toHaveLength(2);
});

/** Texts that name nothing to run, to load or to send to. */
const HARMLESS = [
  'RECALL_BRANCH',
  'REFLECT_EMBED_MODEL', // an id of the manifest
  'REFLECT_IGNORE',
  'REFLECT_MODE',
  'REFLECT_SECOND_EMBED_MODEL', // an id of the manifest
];

test('a page may set those texts by itself of which somebody said that they are harmless', () => {
  const free = KNOBS.map(({ knob }) => knob).filter(
    ({ name, type }) => type === 'text' && !isSensitive(name),
  );
  expect(free.map(({ name }) => name).toSorted()).toEqual(HARMLESS);
});

test('without an app it is refused, and so is every further question while one is open', async () => {
  const page = pageWith(null);
  const [first, second] = await Promise.all([1, 2].map(() => page.send('writers.use', { id: 'codex' })));
  expect([first?.ok, second?.ok, page.asked.length]).toEqual([false, false, 1]);
  expect(() => page.confirmations.answer('gone', 'allow')).toThrow(/no longer open/);
});
