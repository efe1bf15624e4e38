import { expect, test } from 'vitest';
import { redactSecrets } from './secrets.ts';

// Lines of packages that earlier rules took for secrets.
test.each([
  '"integrity": "sha512-2xP/IGGMmmSQpI1+O/k72jF/ykvZ89JeuKX3TLJAYPDVLUalrshrLHkeVcCCZqG/eEa635cr8IBYzg==", // token',
  '"dependencies": { "minipass": "^7.1.2", "pgpass": "1.0.5" }',
  'declare const Move3d: import("svelte").Component;',
  'B_ASN1_PRINTABLESTRING | B_ASN1_IA5STRING | B_ASN1_BIT_STRING',
  "const minipass_1 = require('minipass');",
  '  const { environment, passwordCommand } = this.#parts;',
  'export declare type TSMethodSignature = TSMethodSignatureComputedName;',
  'const signature = data.readUInt32LE(0);',
  '#password_encryption = scram-sha-256',
  'get useLongestToken(){return!1}',
  'login flow\nEntire-Checkpoint: a1b2c3d4e5f6',
  '  "pass": "il valore di autocomplete è appropriato"',
])('%s stays as it is', (line) => {
  expect(redactSecrets(line)).toEqual({ text: line, counts: {} });
});

const HEX = '3f9a0c71d25e8b46a0c71d25e8b463f9';
test.each([
  [`it printed fc-${HEX}, then stopped`, 'it printed [redacted service token], then stopped'],
  ['curl: li_at=AQEDAo0rJzuzK95cBgYTdlF7h79BrFXuA6MvZ', 'curl: li_at=[redacted service token]'],
  ['use sdtj-yuyz-qjzr-lkrl there', 'use [redacted service token] there'],
  ['this-that-then-when', 'this-that-then-when'],
  [`cache-${HEX}.json`, `cache-${HEX}.json`],
])('%s becomes %s', (text, clean) => {
  expect(redactSecrets(text).text).toBe(clean);
});
