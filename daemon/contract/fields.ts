import * as z from 'zod';
import { asSent } from './schema.ts';

/** Fields that many methods and entities share. */
export const none = z.strictObject({});
export const done = z.strictObject({ ok: z.literal(true) });
export const count = z.number().int().nonnegative();
export const epochMs = z.number().int().nonnegative();
export const unit = z.number().min(0).max(1);
export const limit = z.number().int().min(1).max(500);

/** A file or folder on the daemon's machine. */
export const path = asSent(z.string().max(4_096));
export const learningId = asSent(z.string().regex(/^[a-z0-9][a-z0-9._-]{2,120}$/, 'this is not an id'));
export const project = z.string().max(500);
export const branch = z.string().max(300);
export const session = z.string().max(200);
/** The reason shown in the history. */
export const reason = z.string().max(500).default('');
