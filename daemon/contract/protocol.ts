/**
 * The version of the protocol. The first number grows when a stable method loses or renames something; the second when
 * one gains something.
 */
export const PROTOCOL_VERSION = '1.0';

/** Namespaces other programs may build on. The rest serves Reflect's own app and may change with any release. */
const STABLE: ReadonlySet<string> = new Set([
  'status',
  'rpc',
  'events',
  'recall',
  'learnings',
  'memories',
  'traces',
  'reviews',
  'experience',
  'facts',
  'history',
  'loops',
  'reflections',
  'slots',
]);

/** True for `recall.search`, whose namespace is `recall`. */
export const isStable = (method: string): boolean => STABLE.has(method.split('.')[0] ?? '');
