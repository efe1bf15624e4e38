import { text } from '../transcripts/fields.ts';
import { firstFiles, isMarkdown, type MarkdownFile, markdownNotes } from './files.ts';
import { type ForeignNote, type Importer, Unreadable } from './importer.ts';
import { datesOf, frontMatterLeft, tagsOf, titleOf } from './values.ts';

/** Any folder of markdown: each file is a note. */
export const markdown: Importer = {
  kind: 'markdown',
  name: 'markdown notes',
  detect: (path) => firstFiles(path, isMarkdown, 1).length > 0,
  read: (path) => markdownNotes(path, noteFrom),
};

function noteFrom({ front, body, title }: MarkdownFile): ForeignNote {
  if (body === '') throw new Unreadable('it has no text');
  const left = frontMatterLeft(front, ['title', 'tags', 'category', 'type']);
  return {
    note: {
      title: titleOf(title),
      category: text(front, 'category') || 'general',
      type: text(front, 'type') || 'reference',
      tags: tagsOf(front.tags),
      body,
      ...(left ? { frontMatter: left } : {}),
    },
    project: text(front, 'project'),
    ...datesOf(front),
  };
}
