import { expect, test } from 'vitest';
import { redactSecrets } from './secrets.ts';

// Weak on purpose: the name says that a key stands there.
test.each([
  ['export HEROKU_API_KEY=', 'sampleHerokuKey'],
  ['docker run -e DRONE_TOKEN=', 'ZmZmZmZm_HARDcoded'],
  ['API_TOKEN=${API_TOKEN:-', 'ZmZmZmZm_HARDcoded'],
  ['  gitlab_key: ', 'ZmZmZmZmZm_HARDcoded'],
  ['  "apiKey": "', 'super-duper-12345678'],
  ['NUMERIC_APIKEY: ', '1925483168813050783076'],
  ['Authorization: Bearer ', 'token123'],
  ['curl --tlspassword ', 'correcthorse'],
  ['tool --password "', 'open sesame'],
  ["conn.login('ann@acme.dev', '", 'forcepassphrase', "', done)"],
  ['http://ann:', 'p@ssw0r)', '@host:80'],
  ['mongodb+srv://seaside:', 'seaside2', '@cluster0.acme.net/x'],
])('the value after %s goes', (lead, value, end = '') => {
  expect(redactSecrets(`${lead}${value}${end}`).text).not.toContain(value);
});

test.each([
  'SORT_KEY=createdAt',
  'PRIMARY_KEY=user_account_id',
  'NEXT_PUBLIC_POSTHOG_KEY=phc_project_key_1',
  'API_KEY=your-api-key-here',
  'token: refreshTokenFromStorage',
  'privateKey: Uint8ArrayConstructor',
  '  apiKey: OPENAI_API_KEY_NAME',
  'api_key: config.services.openai.key',
  'Authorization: Bearer <token>',
  'pass --password option instead',
  'curl --tlspassword https://localhost',
  'password: $$PASSWORD',
])('%s stays', (text) => {
  expect(redactSecrets(text).text).toBe(text);
});
