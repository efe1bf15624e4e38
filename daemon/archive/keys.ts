import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import type { SigningKey } from '#contract/archive.ts';
import { DaemonError } from '#contract/errors.ts';
import { writeFileAtomic } from '../platform/files.ts';
import { readTextIfExists } from '../platform/read-file.ts';
import { refused } from '../store/archive/schema.ts';
import type { Trust } from './entering.ts';
import { jsonOrNull } from '../platform/json.ts';
import { sha256 } from '../platform/sha256.ts';

const LENGTH = 32; // bytes of an ed25519 key
/** A signature of an archive must not pass for one of anything else that the key might sign. */
const PURPOSE = 'reflect-archive-v1\n';
const OWN = 'own.pem';
const KNOWN = 'known.json';

const Known = z.array(z.strictObject({ key: z.string(), name: z.string(), addedAt: z.number() }));
const Signature = z.strictObject({ key: z.string().max(100), signature: z.string().max(200) });

/** The manifest holds the hash of everything else, so it is what is signed. */
const signedBytes = (manifest: string) => Buffer.from(`${PURPOSE}${manifest}`);

export function signManifest(folder: string, manifest: string): { signature: string; signedBy: string } {
  const own = ownKey(folder) ?? makeKey(folder);
  const key = publicText(own);
  const signature = sign(null, signedBytes(manifest), own).toString('base64');
  return { signature: `${JSON.stringify({ key, signature })}\n`, signedBy: key };
}

/** The key that signed the manifest; an archive whose signature is wrong is refused. */
export function signerOf(manifest: string, signature: string): string {
  const parsed = Signature.safeParse(jsonOrNull(signature));
  const key = parsed.success ? publicKey(parsed.data.key) : null;
  if (!key || !parsed.success) throw refused('its signature cannot be read');
  if (!verify(null, signedBytes(manifest), key, Buffer.from(parsed.data.signature, 'base64')))
    throw refused('its signature does not match its content: it was changed after it was signed');
  return parsed.data.key;
}

export function trustIn(folder: string, signer: string | null): Trust {
  if (signer === null) return 'foreign';
  const own = ownKey(folder);
  if (own && publicText(own) === signer) return 'mine';
  return knownKeys(folder).some(({ key }) => key === signer) ? 'known' : 'foreign';
}

/** The own key, once something was signed, and every key that a person trusts. */
export function listKeys(folder: string): SigningKey[] {
  const own = ownKey(folder);
  return [
    ...(own ? [described({ key: publicText(own), name: 'this computer', addedAt: 0 }, true)] : []),
    ...knownKeys(folder).map((each) => described(each, false)),
  ];
}

export function trustKey(folder: string, key: string, name: string, now: number): SigningKey {
  if (!publicKey(key)) throw new DaemonError('bad-input', 'this is not a key; `reflect keys` prints one');
  const own = ownKey(folder);
  if (own && publicText(own) === key) throw new DaemonError('conflict', 'this is your own key');
  const added = { key, name, addedAt: now };
  writeKnown(folder, [...knownKeys(folder).filter((each) => each.key !== key), added]);
  return described(added, false);
}

/** Removes a known key by its id, name or text. What it brought in stays. */
export function removeKey(folder: string, which: string): SigningKey {
  const all = knownKeys(folder);
  const found = all.find((each) => [each.key, each.name, fingerprint(each.key)].includes(which));
  if (!found) throw new DaemonError('not-found', `the key ${which}; \`reflect keys\` lists those you know`);
  writeKnown(
    folder,
    all.filter((each) => each !== found),
  );
  return described(found, false);
}

const described = (each: z.infer<typeof Known>[number], isOwn: boolean): SigningKey => ({
  ...each,
  id: fingerprint(each.key),
  isOwn,
});

const fingerprint = (key: string): string => sha256(Buffer.from(key, 'base64')).slice(0, 16);

function knownKeys(folder: string): z.infer<typeof Known> {
  const parsed = Known.safeParse(jsonOrNull(readTextIfExists(join(folder, KNOWN)) ?? '[]'));
  if (!parsed.success)
    throw new DaemonError('conflict', `${join(folder, KNOWN)} cannot be read; fix or remove it`);
  return parsed.data;
}

const writeKnown = (folder: string, keys: z.infer<typeof Known>) =>
  writeFileAtomic(join(folder, KNOWN), `${JSON.stringify(keys, null, 2)}\n`);

function ownKey(folder: string): KeyObject | null {
  const pem = readTextIfExists(join(folder, OWN));
  return pem === null ? null : createPrivateKey(pem);
}

function makeKey(folder: string): KeyObject {
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileAtomic(join(folder, OWN), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return privateKey;
}

/** The last bytes of the standard encoding are the key itself. */
const publicText = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-LENGTH).toString('base64');

function publicKey(text: string): KeyObject | null {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== LENGTH || bytes.toString('base64') !== text) return null;
  return createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') },
    format: 'jwk',
  });
}
