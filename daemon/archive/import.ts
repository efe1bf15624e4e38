import type { Imported, ImportMode, Inspected } from '#contract/archive.ts';
import { isEmpty } from '../store/archive/ingest.ts';
import { summary } from './compare.ts';
import { mergeForeign } from './merge-foreign.ts';
import { mergeArchive } from './merge.ts';
import { withArchive } from './open-archive.ts';
import { restore } from './restore.ts';
import type { ArchiveParts, Tell } from './archive-parts.ts';

/** Checks an archive and previews its import. Nothing changes. */
export function inspectArchive(parts: ArchiveParts, path: string, tell: Tell): Promise<Inspected> {
  return withArchive(parts, path, tell, ({ bytes, manifest, version, comparison }) => ({
    path,
    bytes,
    schemaVersion: version,
    documents: manifest.document_count,
    tables: manifest.tables,
    targetEmpty: isEmpty(parts.store.db),
    diff: summary(comparison),
  }));
}

/** `mine`: the person says that they made the archive, so that a merge takes it as it is. */
export function importArchive(
  parts: ArchiveParts,
  path: string,
  mode: ImportMode,
  tell: Tell,
  { mine = true }: { mine?: boolean } = {},
): Promise<Imported> {
  return withArchive(parts, path, tell, (archive) => {
    if (mode !== 'merge') return restore(parts, archive, mode, tell);
    return mine ? mergeArchive(parts, archive, tell) : mergeForeign(parts, archive, path, tell);
  });
}
