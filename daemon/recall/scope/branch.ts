import { flag, text } from '../../ports/knob.ts';
import { recallPort } from '../port.ts';

export const branch = recallPort({
  id: 'scope.branch',
  seeds: ['A6'],
  doc: 'Hides learnings about unfinished work on another branch until that branch is merged.',
  switch: flag('RECALL_BRANCH_SCOPE', true, 'Keep recall within the current branch and the trunk'),
  knobs: {
    pinned: text('RECALL_BRANCH', '', 'Search as if this branch were checked out'),
    allBranches: flag('RECALL_ALL_BRANCHES', false, 'Search every branch of the project'),
  },
  off: (scope) => ({ ...scope, allBranches: true }),
  run(scope, _context, { pinned, allBranches }) {
    if (allBranches || scope.allBranches)
      return { result: { ...scope, allBranches: true }, says: 'looks in every branch' };
    const branch = pinned || scope.branch;
    return {
      result: { ...scope, branch },
      says: branch ? `looks on the trunk and on ${branch}` : 'looks on the trunk',
    };
  },
});
