import { flag } from '../../ports/knob.ts';
import { recallPort } from '../port.ts';

export const project = recallPort({
  id: 'scope.project',
  seeds: ['R15'],
  doc: 'Searches only the current project and global learnings.',
  switch: flag('RECALL_PROJECT_SCOPE', true, 'Keep recall within the current project'),
  knobs: { everywhere: flag('RECALL_GLOBAL', false, 'Search every project') },
  off: (scope) => ({ ...scope, everywhere: true }),
  run(scope, _context, { everywhere }) {
    if (everywhere || scope.everywhere)
      return { result: { ...scope, everywhere: true }, says: 'looks in every project' };
    const where = scope.project ? `${scope.project} and what is global` : 'what is global: no project here';
    return { result: scope, says: `looks in ${where}` };
  },
});
