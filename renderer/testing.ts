import { Learning, type LearningRow } from '#contract/entities.ts';

/** A learning as the daemon sends it, with this id as its title. */
export const learningOf = (id: string, change: Partial<Learning> = {}): Learning =>
  Learning.parse({
    id,
    title: id,
    createdAt: 1,
    updatedAt: 1,
    documentProblem: null,
    signals: {
      qValue: 0.5,
      quality: 3,
      uses: 0,
      successes: 0,
      proofCount: 1,
      recallCount: 0,
      helpfulCount: 0,
      ignoredCount: 0,
      staleCount: 0,
      lastRecalledAt: null,
      importance: 0,
      maturity: 'draft',
    },
    ...change,
  });

/** The same as a row of a list. */
export const rowOf = (id: string, change: Partial<LearningRow> = {}): LearningRow => ({
  id,
  title: id,
  category: 'general',
  type: 'pattern',
  tags: [],
  confidence: 0.6,
  project: '',
  branch: null,
  scope: 'project',
  status: 'active',
  speculative: false,
  createdAt: 0,
  updatedAt: 0,
  documentProblem: null,
  agent: '',
  colleague: '',
  proofCount: 0,
  recallCount: 0,
  snippet: '',
  ...change,
});
