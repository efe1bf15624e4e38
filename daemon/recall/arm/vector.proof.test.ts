import { proof } from '../../testing/proof.ts';
import { vector } from './vector.ts';

const meant = { title: 'Delete a feature branch once its pull request is merged', scope: 'global' as const };

proof(vector, 'finds a learning that shares no word with the question', {
  given: [meant],
  ask: { query: 'tidying up git after landing work' },
  off: [],
  on: [meant.title],
});
