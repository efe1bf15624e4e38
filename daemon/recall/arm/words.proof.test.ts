import { proof } from '../../testing/proof.ts';
import { words } from './words.ts';

const named = { title: 'Set FLUSH_QUORUM to 3 in staging', scope: 'global' as const };
const other = { title: 'Name migrations after their ticket', scope: 'global' as const };

proof(words, 'finds a name that only the text has', {
  given: [named, other],
  ask: { query: 'FLUSH_QUORUM', knobs: { RECALL_VECTOR_ARM: false } },
  off: [],
  on: [named.title],
});
