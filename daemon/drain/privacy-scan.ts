import type { Output } from '#contract/methods.ts';
import { Turns } from '../platform/turns.ts';
import { redactAll } from '../privacy/redact.ts';
import type { WritableDb } from '../store/db.ts';
import { storedTexts } from '../store/learnings/texts.ts';

const MOST_FINDINGS = 500;

/** Searches everything stored for secrets that were not redacted. Reports place and kind, never the secret. */
export async function scanForSecrets(db: WritableDb, signal: AbortSignal): Promise<Output<'privacy.scan'>> {
  const result: Output<'privacy.scan'> = { texts: 0, found: 0, findings: [] };
  const turns = new Turns(signal, { rests: false });
  for (const slice of storedTexts(db)) {
    for (const { where, id, text } of slice) {
      const kinds: Record<string, number> = {};
      redactAll(unpacked(text), kinds);
      result.texts++;
      if (Object.keys(kinds).length === 0) continue;
      result.found++;
      if (result.findings.length < MOST_FINDINGS) result.findings.push({ where, id, kinds });
    }
    await turns.next();
  }
  return result;
}

/** Texts inside JSON are written with escapes, behind which a secret would be overlooked. */
function unpacked(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
