import type { Imported, ImportMode, Inspected } from '#contract/archive.ts';
import { isEmpty } from '../store/archive/ingest.ts';
import { summary } from './compare.ts';
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

export function importArchive(
  parts: ArchiveParts,
  path: string,
  mode: ImportMode,
  tell: Tell,
): Promise<Imported> {
  return withArchive(parts, path, tell, (archive) =>
    mode === 'merge' ? mergeArchive(parts, archive, tell) : restore(parts, archive, mode, tell),
  );
}
