import type Database from 'better-sqlite3';
import * as sqliteVec from 'sqlite-vec';
import { missingBuild } from '../../platform/native-libraries.ts';
import { dot } from '../../platform/dot.ts';
import { signsOf } from '../../platform/signs.ts';
import { floats } from './cached-vectors.ts';

/**
 * Adds the functions that compare vectors to a connection: those of sqlite-vec, or the same in JavaScript where it has
 * no build.
 */
export function addVectorFunctions(db: Database.Database): void {
  if (missingBuild('sqlite-vec') !== null) addInJavaScript(db);
  // A packed app keeps native libraries beside the archive, where the system's loader can open them.
  else db.loadExtension(sqliteVec.getLoadablePath().replace('app.asar', 'app.asar.unpacked'));
}

export function addInJavaScript(db: Database.Database): void {
  const define = (name: string, compute: (...vectors: Buffer[]) => unknown) =>
    db.function(name, { deterministic: true }, compute as (...values: unknown[]) => unknown); // only ever given blobs
  define('vec_quantize_binary', (vector) => Buffer.from(signsOf(floats(vector)).buffer));
  define('vec_bit', (signs) => signs);
  define('vec_distance_hamming', hamming);
  define('vec_distance_cosine', (one, other) => 1 - dot(floats(one), floats(other)));
}

function hamming(one: Buffer, other: Buffer): number {
  let distance = 0;
  for (let at = 0; at < one.length; at++)
    for (let bits = (one[at] ?? 0) ^ (other[at] ?? 0); bits; bits &= bits - 1) distance++;
  return distance;
}
