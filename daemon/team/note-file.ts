import { type Learning, Note } from '#contract/entities.ts';
import { parseDocument, renderDocument } from '../store/learnings/document-format.ts';
import { DocumentProblem } from '../store/learnings/document-yaml.ts';
import { noteOf } from '../store/learnings/learnings.ts';
import { outgoing } from './shared-note.ts';

/** Without dates, which would make every edit a conflict. */
export function textOf(id: string, learning: Learning): string {
  const { markdown } = renderDocument({
    ...Note.parse(outgoing(noteOf(learning))),
    id,
    createdAt: 0,
    updatedAt: 0,
  });
  return markdown.replace(/^created: .*\nupdated: .*\n/m, '');
}

/** Null for a file that is no note; it is refused by the rules for what arrives. */
export function noteIn(markdown: string): unknown {
  try {
    return parseDocument({ markdown, sidecar: null }).note;
  } catch (error) {
    if (error instanceof DocumentProblem) return null;
    throw error;
  }
}
