import type Database from 'better-sqlite3';
import type { StoreDatabase } from './connection.ts';

// A function that takes a ReadableDb promises not to write; its signature says so before its body does.
export type ReadableDb = Pick<Database.Database, 'prepare'>;
export type WritableDb = StoreDatabase;
