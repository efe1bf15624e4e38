import { proof } from '../../testing/proof.ts';
import { project } from './project.ts';

const here = {
  title: 'Run make fmt before every commit',
  project: 'github.com/acme/repo-a',
  body: 'The formatter is pinned in the repository.',
};
const elsewhere = {
  title: 'Never commit a bumped shared proto without regenerating clients',
  project: 'github.com/acme/repo-b',
  body: 'It broke staging.',
};
const everywhere = { title: 'Write commit messages that say why', scope: 'global' as const };

// R15: recall in repo-a reads what belongs to repo-a and what is global, and nothing of repo-b.
proof(project, 'a lesson of another project does not surface', {
  given: [here, elsewhere, everywhere],
  ask: { query: 'commit', project: 'github.com/acme/repo-a', knobs: { RECALL_VECTOR_ARM: false } },
  on: [everywhere.title, here.title],
  off: [everywhere.title, here.title, elsewhere.title],
  anyOrder: true,
});

proof(project, 'a folder that is no project sees only what is global', {
  given: [here, everywhere],
  ask: { query: 'commit', cwd: '/', knobs: { RECALL_VECTOR_ARM: false } },
  on: [everywhere.title],
  off: [everywhere.title, here.title],
  anyOrder: true,
});
