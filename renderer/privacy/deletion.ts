/** The one thing that a person may be about to delete. */
export interface Deletion {
  kind: 'learning' | 'session' | 'project';
  id: string;
  /** How the question calls it. */
  name: string;
  /** How many learnings a project has, if known. */
  learnings?: number | undefined;
}
