import type { RELATION_TYPES } from '#contract/entities.ts';

type RelationType = (typeof RELATION_TYPES)[number];

/** Fourteen colours could not be told apart; six families can. Each has one token in families.css. */
export const FAMILIES = ['cause', 'help', 'against', 'structure', 'change', 'plain'] as const;
export type Family = (typeof FAMILIES)[number];

export const FAMILY_OF: Record<RelationType, Family> = {
  causes: 'cause',
  caused_by: 'cause',
  triggers: 'cause',
  solves: 'help',
  enables: 'help',
  prevents: 'against',
  contradicts: 'against',
  uses: 'structure',
  requires: 'structure',
  part_of: 'structure',
  implements: 'structure',
  configures: 'structure',
  supersedes: 'change',
  relates_to: 'plain',
};

export const relationName = (type: string): string => type.replaceAll('_', ' ');
