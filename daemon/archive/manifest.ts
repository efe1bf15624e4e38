import * as z from 'zod';
import { DATABASE } from './member.ts';
import { refused } from './tar-read.ts';

const KIND = 'reflect-kb-export';
const FORMAT = 1;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().nonnegative();

/** Keys in the order of the alphabet, as they are written. */
const Manifest = z.strictObject({
  db_file: z.literal(DATABASE),
  db_sha256: sha256,
  document_count: count,
  documents: z.array(z.strictObject({ path: z.string(), sha256 })),
  format_version: z.literal(FORMAT),
  kind: z.literal(KIND),
  tables: z.record(z.string(), count),
});
export type Manifest = z.infer<typeof Manifest>;

export type DocumentEntry = Manifest['documents'][number];

export function renderManifest(content: Pick<Manifest, 'db_sha256' | 'documents' | 'tables'>): string {
  const manifest: Manifest = {
    db_file: DATABASE,
    db_sha256: content.db_sha256,
    document_count: content.documents.length,
    documents: content.documents,
    format_version: FORMAT,
    kind: KIND,
    tables: content.tables,
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

const Claimed = z.looseObject({ kind: z.unknown().optional(), format_version: z.unknown().optional() });

/** Another kind or version is told as such before its fields are looked at, for they may well be others. */
export function parseManifest(text: string): Manifest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw refused('its manifest is not JSON');
  }
  const { kind, format_version: version } = Claimed.catch({}).parse(json);
  if (kind !== KIND)
    throw refused(
      `it is no export of Reflect: its kind is ${JSON.stringify(kind)?.slice(0, 100) ?? 'not told'}`,
    );
  if (version !== FORMAT)
    throw refused(
      `its format is version ${JSON.stringify(version)?.slice(0, 20) ?? 'unknown'}; this Reflect reads version ${FORMAT}`,
    );
  const parsed = Manifest.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw refused(`its manifest is not valid: ${issue?.path.join('.')}: ${issue?.message}`);
}
