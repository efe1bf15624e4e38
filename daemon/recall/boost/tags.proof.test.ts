import { proof } from '../../testing/proof.ts';
import { tags } from './tags.ts';

const one = { title: 'Cache headers for pages, a', scope: 'global' as const };
const two = { title: 'Cache headers for pages, b', tags: ['nginx'], scope: 'global' as const };

// R8: the tags asked for break a tie.
proof(tags, 'prefers the learning that carries the tags asked for', {
  given: [one, two],
  ask: {
    query: 'cache headers',
    tags: ['nginx'],
    knobs: { RECALL_VECTOR_ARM: false, RECALL_ADAPTIVE_FUSION: false },
  },
  off: [one.title, two.title],
  on: [two.title, one.title],
});
