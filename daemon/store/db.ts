import type { StoreDatabase } from './connection.ts';
import type { SearchCache } from './search/search-cache.ts';

type Question = 'prepare' | 'rows' | 'row' | 'values' | 'value' | 'count' | 'has';

// A function that takes a ReadableDb promises not to write; its signature says so before its body does.
export interface ReadableDb extends Pick<StoreDatabase, Question> {
  /** The search indexes in memory; absent where only the database may be asked. */
  readonly search?: SearchCache | undefined;
}
export type WritableDb = StoreDatabase;
