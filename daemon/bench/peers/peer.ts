import { createRequire } from 'node:module';
import { join } from 'node:path';

export interface PeerDocument {
  id: string;
  text: string;
  vector: Float32Array;
}

/** A filled index of another project. */
export interface OpenPeer {
  /** Ids of the best documents, the best first. */
  search(text: string, vector: Float32Array, limit: number): Promise<string[]> | string[];
  close(): void;
}

/** Another way to search the same documents with the same vectors. */
export interface Peer {
  name: string;
  /** The packages to install, by name, with their versions; none for what Reflect itself brings along. */
  packages: Readonly<Record<string, string>>;
  /** Packages of theirs that are not used here, as npm's `overrides`. */
  overrides?: Readonly<Record<string, string>>;
  byMeaning: boolean;
  /** The largest size it is measured at. */
  most?: number;
  open(modules: string, folder: string, documents: readonly PeerDocument[]): Promise<OpenPeer>;
}

/** Installed in place of a package that is not used here, because it is large or not available. */
export const LEFT_OUT = 'npm:minisearch@7.2.0';

/** Loads a package from the folder a peer is installed in; it never is a dependency of ours. */
export const load = <T>(modules: string, name: string): T =>
  createRequire(join(modules, 'package.json'))(name) as T; // each peer declares the few functions it calls

const CONSTANT = 60;

/** Several rankings as one, by reciprocal rank: what most do with words and vectors. */
export function byReciprocalRank(lists: ReadonlyArray<readonly string[]>, limit: number): string[] {
  const scores = new Map<string, number>();
  for (const list of lists)
    list.forEach((id, rank) => scores.set(id, (scores.get(id) ?? 0) + 1 / (CONSTANT + rank + 1)));
  return [...scores]
    .toSorted((one, other) => other[1] - one[1])
    .slice(0, limit)
    .map(([id]) => id);
}

/** The words of a question, for an index that would take its punctuation for operators. */
export const plainWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
