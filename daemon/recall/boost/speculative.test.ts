import { proof } from '../../testing/proof.ts';
import { speculative } from './speculative.ts';

const guessed = {
  title: 'The drift comes from the provider, a',
  speculative: true,
  scope: 'global' as const,
};
const said = { title: 'The drift comes from the provider, b', scope: 'global' as const };

proof(speculative, 'a guess stands behind what was said', {
  given: [guessed, said],
  ask: { query: 'drift provider', knobs: { RECALL_VECTOR_ARM: false } },
  off: [guessed.title, said.title],
  on: [said.title, guessed.title],
});
