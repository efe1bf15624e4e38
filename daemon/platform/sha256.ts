import { createHash } from 'node:crypto';

/** The checksum of a text or of bytes, in hexadecimal digits. */
export const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');
