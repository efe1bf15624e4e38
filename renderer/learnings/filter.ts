export const FACETS = ['project', 'branch', 'category', 'tag', 'agent', 'confidence', 'status'] as const;
export type Facet = (typeof FACETS)[number];
export type Filter = { text: string } & Record<Facet, string>;

/** The initial filter: everything that recall uses. */
export const UNFILTERED: Filter = {
  text: '',
  project: '',
  branch: '',
  category: '',
  tag: '',
  agent: '',
  confidence: '',
  status: 'active',
};
