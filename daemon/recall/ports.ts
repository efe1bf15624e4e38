import { vector } from './arm/vector.ts';
import { words } from './arm/words.ts';
import { tokens } from './budget/tokens.ts';
import { reciprocalRank } from './fuse/reciprocal-rank.ts';
import type { RecallPort, Stage } from './port.ts';
import { crossEncoder } from './rerank/cross-encoder.ts';
import { branch } from './scope/branch.ts';
import { project } from './scope/project.ts';

/** Every recall port, by stage; within a stage, in order of execution. */
export const RECALL_PORTS: { readonly [S in Stage]: readonly RecallPort<S>[] } = {
  scope: [project, branch],
  arm: [vector, words],
  fuse: [reciprocalRank],
  rerank: [crossEncoder],
  budget: [tokens],
};
