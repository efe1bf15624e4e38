import { pathProblem } from '../platform/safe-path.ts';

export const DOCUMENTS = 'documents/';
export const MANIFEST = 'manifest.json';
export const DATABASE = 'reflect.db';

const MB = 1024 * 1024; // bytes

/** Far beyond what any knowledge base has; what is larger was made to harm. */
export interface Limits {
  documents: number;
  documentBytes: number;
  manifestBytes: number;
  databaseBytes: number;
}

export const LIMITS: Limits = {
  documents: 2_000_000,
  documentBytes: 16 * MB,
  manifestBytes: 512 * MB,
  databaseBytes: 8 * 1024 * MB - 1,
};

/** Why an export can have no document of this path, relative to the documents folder; null when it can. */
export function documentProblem(path: string): string | null {
  return isDocument(path) ? pathProblem(path) : 'is neither a note nor its entities';
}

export const isDocument = (path: string): boolean => path.endsWith('.md') || path.endsWith('.entities.yaml');
