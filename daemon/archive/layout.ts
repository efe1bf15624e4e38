import * as z from 'zod';
import { pathProblem } from '../platform/safe-path.ts';
import { refused } from '../store/archive/schema.ts';
import { LARGEST_DOCUMENT } from '../store/learnings/documents.ts';

export const DOCUMENTS = 'documents/';
export const MANIFEST = 'manifest.json';
export const DATABASE = 'reflect.db';
export const SIGNATURE = 'signature.json';

const MB = 1024 * 1024; // bytes

/** Far beyond any real knowledge base: anything larger is an attack. */
export interface Limits {
  documents: number;
  documentBytes: number;
  manifestBytes: number;
  databaseBytes: number;
}

export const LIMITS: Limits = {
  documents: 2_000_000,
  documentBytes: LARGEST_DOCUMENT,
  manifestBytes: 512 * MB,
  databaseBytes: 8 * 1024 * MB - 1,
};

/** The reason why an export cannot contain this path, relative to the documents folder; null when it can. */
export function documentProblem(path: string): string | null {
  return isDocument(path) ? pathProblem(path) : 'is neither a note nor its entities';
}

export const isDocument = (path: string): boolean => path.endsWith('.md') || path.endsWith('.entities.yaml');

const KIND = 'reflect-kb-export';
const FORMAT = 1;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().nonnegative();

/** Keys are in alphabetical order, as they are written. */
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

/** Kind and version are checked before the other fields, which may differ in another version. */
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
      `it is not an export of Reflect: its kind is ${JSON.stringify(kind)?.slice(0, 100) ?? 'missing'}`,
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
