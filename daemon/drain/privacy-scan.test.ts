import { expect, test } from 'vitest';
import { redactAll } from '../privacy/redact.ts';
import { asOneUnit } from '../store/learnings/write.ts';
import { given, tempStore } from '../testing/temp-home.ts';
import { scanForSecrets } from './privacy-scan.ts';
import { drainWorld } from './testing.ts';

const TOKEN = `ghp_${'aB3dE5gH7'.repeat(4)}`;
const KEY = `-----BEGIN ${'PRIVATE'} KEY-----\n${'aB3dE5gH7'.repeat(7)}\n-----END ${'PRIVATE'} KEY-----`;

test('a secret that slipped through is found wherever it lies, told by place and kind, never by its letters', async () => {
  const { store, say, drain } = drainWorld();
  say(`never use ${TOKEN} in the tests`); // as if the capture thread had not redacted it
  await drain.run();
  const { learning } = given(store, { title: 'The deploy key', body: `It is\n${KEY}` });
  store.db
    .prepare(
      `INSERT INTO slot (project, name, content, description, size_limit, updated_at) VALUES ('', 'hints', ?, '', 2000, 1)`,
    )
    .run(`<private>the plan of Ada</private> ${TOKEN}`);
  store.db
    .prepare(`INSERT INTO gap (at, query, normalized, project, session) VALUES (1, ?, '', '', '')`)
    .run(`why does ${TOKEN} fail`);
  const { findings, found, texts } = await scanForSecrets(store.db, new AbortController().signal);
  expect(findings).toContainEqual({ where: 'learning', id: learning.id, kinds: { 'private key': 1 } });
  expect(findings).toContainEqual({
    where: 'slot',
    id: 'hints',
    kinds: { 'github token': 1, 'private span': 1 },
  });
  expect(new Set(findings.map(({ where }) => where))).toEqual(
    new Set(['learning', 'history', 'moment', 'slot', 'question']),
  );
  expect(found).toBe(findings.length);
  expect(texts).toBeGreaterThanOrEqual(found);
  expect(JSON.stringify(findings)).not.toMatch(/aB3dE5gH7|plan of Ada/);
});

test('what was redacted before it was stored is no finding, in however many notes', async () => {
  const store = tempStore();
  const body = `${TOKEN} postgres://ada:s3cr3t@db ${KEY} password = "Summer2024!"`;
  const redacted = redactAll({ body }, {});
  asOneUnit(store, () => {
    for (let at = 0; at < 110; at++) given(store, { title: `Note ${at}`, ...redacted });
  });
  expect(await scanForSecrets(store.db, new AbortController().signal)).toEqual({
    texts: 220,
    found: 0,
    findings: [],
  }); // each note and its history, in more than one slice
});
