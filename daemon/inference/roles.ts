import { MANIFEST, type CrossEncoderRow, type EmbedderRow, type ModelRow } from '../../models/manifest.ts';
import { createHashes, isPath, locateFolder, locateModel, type Located } from './model-files.ts';

export type EmbedderRole = 'embedder' | 'second-embedder';
export type ModelRole = EmbedderRole | 'cross-encoder';
export type RowOf<S extends ModelRole> = S extends EmbedderRole ? EmbedderRow : CrossEncoderRow;

/** The model chosen for each role: an id of the manifest, '' for none, or, for the cross-encoder, a folder. */
export interface Choices {
  embedder: string;
  secondEmbedder: string;
  crossEncoder: string;
}

/** Models on disk: all of the manifest (and a folder, if one is chosen), and which plays which role. */
export interface Found {
  all: Located[];
  roles: { [S in ModelRole]: Located<RowOf<S>> | null };
}

export const NOTHING_FOUND: Found = {
  all: [],
  roles: { embedder: null, 'second-embedder': null, 'cross-encoder': null },
};

export async function findModels(
  choices: Choices,
  modelsDir: string,
  bundledDir: string | null,
): Promise<Found> {
  const folders = bundledDir === null ? [modelsDir] : [bundledDir, modelsDir];
  const hashOf = createHashes(modelsDir);
  const all: Located[] = isPath(choices.crossEncoder) ? [locateFolder(choices.crossEncoder)] : [];
  for (const row of MANIFEST) all.push(await locateModel(row, folders, hashOf));

  const embedder = (id: string) => all.filter(hasRole('embedder')).find(({ row }) => row.id === id) ?? null;
  return {
    all,
    roles: {
      embedder: embedder(choices.embedder),
      'second-embedder': embedder(choices.secondEmbedder),
      'cross-encoder': chooseCrossEncoder(choices.crossEncoder, all.filter(hasRole('cross-encoder'))),
    },
  };
}

/** The chosen model if it is ready, else the first that is; a missing choice is still better to show than none. */
function chooseCrossEncoder(
  choice: string,
  all: Located<CrossEncoderRow>[],
): Located<CrossEncoderRow> | null {
  const chosen = isPath(choice) ? all[0] : all.find(({ row }) => row.id === choice);
  if (chosen?.state === 'ready') return chosen;
  return all.find(({ state }) => state === 'ready') ?? chosen ?? all[0] ?? null;
}

type WithRole<R extends ModelRow['role']> = Located<Extract<ModelRow, { role: R }>>;

const hasRole =
  <R extends ModelRow['role']>(role: R) =>
  (located: Located): located is WithRole<R> =>
    located.row.role === role;
