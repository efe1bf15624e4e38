import type { Output } from '#contract/methods.ts';
import { join } from 'node:path';
import { writeFileAtomic } from '../platform/files.ts';
import {
  documentAt,
  knownDocuments,
  listStrays,
  readDocument,
  sidecarPath,
} from '../store/learnings/documents.ts';
import type { Store } from '../store/learnings/write.ts';
import { ingestDocuments } from './hand-edits.ts';
import { backfillSidecar } from './relation-types.ts';

type Repair = Output<'documents.repair'>;

/** Ingests files with problems again, on request with unknown relation types replaced by relates_to. */
export function repairDocuments(store: Store, backfillRelations: boolean): Repair {
  const paths = broken(store).map(({ path }) => path);
  if (backfillRelations) for (const path of paths) backfill(store.documents, path);
  ingestDocuments(store, paths);
  return {
    repaired: paths.filter((path) => documentAt(store.db, path)?.problem === null),
    left: broken(store),
  };
}

function backfill(documents: string, path: string): void {
  const { sidecar = null } = readDocument(documents, path) ?? {};
  const mended = sidecar === null ? null : backfillSidecar(sidecar);
  if (mended !== null && mended !== sidecar) writeFileAtomic(join(documents, sidecarPath(path)), mended);
}

/** Files with a problem, whether or not they belong to a note. */
function broken({ db }: Store): Repair['left'] {
  const known = knownDocuments(db).flatMap(({ path, problem }) =>
    problem === null ? [] : [{ path, problem }],
  );
  return [...known, ...listStrays(db)];
}
