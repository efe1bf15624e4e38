import { persona } from './answer/persona.ts';
import { graph } from './arm/graph.ts';
import { temporal } from './arm/temporal.ts';
import { vector } from './arm/vector.ts';
import { words } from './arm/words.ts';
import { confidence } from './boost/confidence.ts';
import { project as ownProject } from './boost/project.ts';
import { proof } from './boost/proof.ts';
import { recency } from './boost/recency.ts';
import { speculative } from './boost/speculative.ts';
import { tags } from './boost/tags.ts';
import { utility } from './boost/utility.ts';
import { tokens } from './budget/tokens.ts';
import { recentAnswers } from './cache/recent-answers.ts';
import { marginalRelevance } from './diversify/marginal-relevance.ts';
import { perArm } from './floor/per-arm.ts';
import { adaptive } from './fuse/adaptive.ts';
import { reciprocalRank } from './fuse/reciprocal-rank.ts';
import { outOfDomain } from './gate/out-of-domain.ts';
import { period } from './gate/period.ts';
import type { PortOf, Stage } from './port.ts';
import { dates } from './query/dates.ts';
import { crossEncoder } from './rerank/cross-encoder.ts';
import { branch } from './scope/branch.ts';
import { project } from './scope/project.ts';

export type RecallPorts = { readonly [S in Stage]: ReadonlyArray<PortOf<S>> };

/** Every recall port, by stage; within a stage, in order of execution. Of the fuses, the first that is on merges. */
export const RECALL_PORTS: RecallPorts = {
  query: [dates],
  answer: [persona],
  scope: [project, branch],
  cache: [recentAnswers],
  arm: [vector, words, graph, temporal],
  floor: [perArm],
  fuse: [adaptive, reciprocalRank],
  rerank: [crossEncoder],
  gate: [period, outOfDomain],
  boost: [confidence, recency, tags, proof, ownProject, utility, speculative],
  diversify: [marginalRelevance],
  budget: [tokens],
};
