import type Database from 'better-sqlite3';
import type { StoreDatabase } from './connection.ts';
import type { SearchCache } from './search/search-cache.ts';

// A function that takes a ReadableDb promises not to write; its signature says so before its body does.
export interface ReadableDb extends Pick<Database.Database, 'prepare'> {
  /** The search indexes in memory; absent where only the database may be asked. */
  readonly search?: SearchCache | undefined;
}
export type WritableDb = StoreDatabase;
