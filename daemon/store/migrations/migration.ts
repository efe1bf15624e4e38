import type { WritableDb } from '../db.ts';

export interface Migration {
  version: number;
  up: (db: WritableDb) => void;
}
