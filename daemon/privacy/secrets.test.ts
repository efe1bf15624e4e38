import { describe, expect, test } from 'vitest';
import { redactSecrets } from './secrets.ts';

// Put together here so that no scanner takes this file for a leak.
const letters = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5kM7n';
const key = (prefix: string, length: number) => prefix + letters.repeat(3).slice(0, length);

describe('secrets', () => {
  test.each([
    ['private key', `-----BEGIN RSA PRIVATE KEY-----\n${letters}\n-----END RSA PRIVATE KEY-----`],
    ['private key', `-----BEGIN PGP PRIVATE KEY BLOCK-----\n${letters}\n-----END PGP PRIVATE KEY BLOCK-----`],
    ['anthropic key', key('sk-ant-api03-', 60)],
    ['openai key', key('sk-', 48)],
    ['openai key', key('sk-proj-', 60)],
    ['github token', key('ghp_', 36)],
    ['github token', key('github_pat_', 60)],
    ['gitlab token', key('glpat-', 20)],
    ['slack token', `xoxb-1234567890-${letters.slice(0, 12)}`],
    ['slack webhook', `hooks.slack.com/services/T0000/B0000/${letters.slice(0, 24)}`],
    ['aws key', `AKIA${letters.toUpperCase().slice(0, 16)}`],
    ['google key', key('AIza', 35)],
    ['stripe key', key('sk_live_', 24)],
    ['npm token', key('npm_', 36)],
    ['pypi token', key('pypi-', 60)],
    ['hugging face token', key('hf_', 34)],
    ['jwt', `${key('eyJ', 30)}.${key('eyJ', 30)}.${letters}`],
  ])('a %s is replaced by its kind wherever it stands', (kind, secret) => {
    const { text, counts } = redactSecrets(`before ${secret} after`);
    expect(text).toBe(`before [redacted ${kind}] after`);
    expect(counts).toEqual({ [kind]: 1 });
  });

  test('a private key that was cut off takes the rest of the text', () => {
    expect(redactSecrets(`see -----BEGIN PRIVATE KEY-----\n${letters}\n${letters}`).text).toBe(
      'see [redacted private key]',
    );
  });

  test.each([
    `Authorization: Bearer ${letters}`,
    `authorization: Basic ${Buffer.from('ada:Lovelace1815!').toString('base64')}`,
    `curl -H "Authorization: token ${letters}"`,
    `X-Api-Key: ${letters}`,
    `x-goog-key: ${letters}`,
    `OPENAI_API_KEY=${letters}`,
    `"password": "${letters.slice(0, 12)}"`,
    `{\\"client_secret\\": \\"${letters.slice(0, 20)}\\"}`,
    `password = 'Summer2024!'`,
    `DB_PASSWORD=correcthorsebattery`,
    `aws_secret_access_key = wJalrXUtnFEMI/K7MDENG+bPxRfiCY9Q2zLKE4TB`,
    `https://x.test/?access_token=${letters}&page=2`,
    `mysql --password ${letters.slice(0, 14)} shop`,
    `token := "${letters.slice(0, 24)}"`,
    `postgres://ada:s3cr3t@db/shop`,
    `redis://:hunter2hunter2@cache:6379`,
  ])('the value in %s goes, the name stays', (text) => {
    const { text: clean, counts } = redactSecrets(text);
    expect(Object.values(counts)).toEqual([1]);
    expect(clean).toMatch(/\[redacted/);
    for (const value of [
      letters.slice(0, 12),
      'Summer2024',
      'correcthorse',
      'MDENG',
      's3cr3t',
      'hunter2',
      'ZGE6TG92',
    ])
      expect(clean).not.toContain(value);
  });

  test.each([
    'The password must have 12 characters, and the token expires after an hour.',
    'Password: must-contain-8-characters',
    'Use a bearer authentication-middleware-configuration for this.',
    'apiKey: process.env.API_KEY',
    'env.AZURE_OPENAI_API_KEY = this.config.apiKey;',
    'const tokenLimit = computeLimit2;',
    'function meanOf(tokens: Float32Array, secret: BigUint64Array)',
    'maxTokens: options?.maxTokens ?? model.maxTokens',
    'result.CacheReadTokens = usage.CacheReadTokens2',
    'max_tokens=100000000, total_tokens: 1234567890',
    'token_usage: 12.5k/200k',
    'tokenExpiresAt: 2026-01-01T00:00:00Z',
    'API_KEY=your_api_key',
    'export TOKEN=${GITHUB_TOKEN}',
    'PASSWORD=<your password>',
    'TOKENIZER=bert-base-uncased',
    'password: getPassword("main")',
    'secret: src/auth/token-store.ts',
    '.sk-fading-circle-animation-delay { }',
    'import sklearn; sk-learn-contrib-something',
    'postgres://user:password@localhost/db',
    'git@github.com:acme/shop.git and https://github.com/acme/shop',
    'commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b fixes the token refresh',
    'id-token: write',
    'token: ***',
    'the function `refreshAccessToken(userId: string)` returns a token',
  ])('%s is left as it is', (text) => {
    expect(redactSecrets(text)).toEqual({ text, counts: {} });
  });

  test('several of a kind are counted and what is clean passes unchanged', () => {
    const { text, counts } = redactSecrets(
      `${key('ghp_', 36)} and ${key('ghp_', 40)}\nwith ${key('npm_', 36)}`,
    );
    expect(counts).toEqual({ 'github token': 2, 'npm token': 1 });
    expect(redactSecrets(text)).toEqual({ text, counts: {} });
  });

  test.each([
    ['letters', 'a'.repeat(300_000)],
    ['spaces', `authorization${' '.repeat(300_000)}x`],
    ['dashes', 'a-'.repeat(150_000)],
    ['keywords', 'token'.repeat(60_000)],
    ['keywords with dashes', 'api_key-'.repeat(37_500)],
    ['half JWTs', 'eyJ-'.repeat(75_000)],
    ['long half JWTs', 'eyJaaaaaaaaaaaa.'.repeat(18_600)],
    ['schemes', 'http://a:'.repeat(33_000)],
    ['one long scheme', `${'a'.repeat(300_000)}://b:ccc@d`],
    ['colons', 'a:'.repeat(150_000)],
    ['begun keys', '-----BEGIN PRIVATE KEY-----'.repeat(11_100)],
    ['half begun keys', '-----BEGIN AAAA '.repeat(18_600)],
    ['assignments', 'token=aaaaaaaa '.repeat(19_800)],
    ['bearers', 'bearer '.repeat(42_000)],
    ['one value', `token=${'aB3$'.repeat(75_000)}`],
    ['quotes', `secret${'"'.repeat(300_000)}`],
    ['flags', '--token '.repeat(37_500)],
    ['emoji', '🔑'.repeat(75_000)],
    ['commands', 'curl mysql docker login '.repeat(12_300)],
    ['passwords in prose', 'password for the '.repeat(17_400)],
    ['passwords without a value', 'password is '.repeat(24_900)],
    ['words', `mnemonic: ${'word '.repeat(60_000)}`],
    ['password of words', `password: ${'word-'.repeat(60_000)}`],
    ['cookies', 'cookie: a='.repeat(30_000)],
    ['colons of pgpass', 'a:5432:'.repeat(42_000)],
    ['hashes', '$6$'.repeat(99_000)],
    ['addresses', '://a:b'.repeat(48_000)],
    ['keys', '_key='.repeat(60_000)],
    ['drawn values near a name', 'key aB3dE5gH7jK9 '.repeat(17_600)],
    ['one drawn value', `key ${'aB3+'.repeat(75_000)}`],
    ['begun blocks', '-----BEGIN key '.repeat(20_000)],
    ['assigned passwords', 'password = '.repeat(27_000)],
    ['quoted passwords', 'password: "a '.repeat(23_000)],
    ['password lines', 'password: a-b\n'.repeat(21_000)],
    ['inserts', 'insert into a (password) values ('.repeat(9_000)],
    ['tuples', `insert into a (password) values ${"('a'".repeat(60_000)}`],
    ['copies', `copy a (password) from stdin;\n${'a\t\n'.repeat(90_000)}`],
    ['heads of tables', '| password |\n'.repeat(23_000)],
    ['numbered words', '12. word\n'.repeat(33_000)],
    ['elements', '<password>'.repeat(30_000)],
    ['recovery codes', 'recovery codes: '.repeat(18_000)],
    ['words with digits', 'p4ssw0rd'.repeat(37_000)],
    ['signs', 'a1!'.repeat(100_000)],
    ['spoken names', 'password of the '.repeat(18_000)],
    ['users', 'admin / '.repeat(37_000)],
    ['lines of elements', `<secret>\n${'aB3dE5gH7jK9 '.repeat(23_000)}`],
  ])('300 kB of %s are read within the time a test has', (_what, text) => {
    expect(() => redactSecrets(text)).not.toThrow();
  });
});
