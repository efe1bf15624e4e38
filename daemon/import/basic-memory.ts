import { text } from '../transcripts/fields.ts';
import { firstFiles, isMarkdown, type MarkdownFile, markdownNotes, peekMarkdown } from './files.ts';
import type { ForeignNote, Importer } from './importer.ts';
import { datesOf, entityOf, frontMatterLeft, relationOf, tagsOf, titleOf } from './values.ts';

const RELATION = /^\s*[-*]\s+(?:([^[\]\n]{1,80}?)\s+)?\[\[([^\]\n]+)\]\]\s*(?:\(([^)\n]*)\))?\s*$/gm;
const OBSERVATION = /^\s*[-*]\s+\[([^[\]()\n]{2,60})\]\s+(\S.*)$/gm;
const HASHTAG = /(?:^|\s)#([\p{L}\p{N}][\p{L}\p{N}_/-]*)/gu;
const TASK_BOX = /^[ xX-]$/;

/**
 * A folder of basic-memory: notes with a permalink, observations as `- [kind] text #tag`, relations as `- kind
 * [[Note]]`.
 */
export const basicMemory: Importer = {
  kind: 'basic-memory',
  name: 'basic-memory notes',
  detect: (path) =>
    firstFiles(path, isMarkdown).some((file) => text(peekMarkdown(file)?.front ?? {}, 'permalink') !== ''),
  read: (path) => markdownNotes(path, noteFrom),
};

function noteFrom({ front, body, title }: MarkdownFile): ForeignNote {
  const observations = [...body.matchAll(OBSERVATION)].filter(([, kind = '']) => !TASK_BOX.test(kind));
  const relations = [...body.matchAll(RELATION)].map(([, kind = 'relates_to', target = '', context = '']) =>
    relationOf(title, target, kind, context),
  );
  const hashtags = observations.flatMap(([, , said = '']) =>
    [...said.matchAll(HASHTAG)].map(([, tag = '']) => tag),
  );
  const left = frontMatterLeft(front, ['title', 'tags', 'type']);
  return {
    note: {
      title: titleOf(title),
      type: typeOf(
        text(front, 'type'),
        observations.map(([, kind = '']) => kind),
      ),
      tags: tagsOf([...tagsOf(front.tags), ...hashtags]),
      body,
      relations,
      entities:
        relations.length === 0
          ? []
          : [title, ...relations.map(({ target }) => target)].map((name) => entityOf(name)),
      ...(left ? { frontMatter: left } : {}),
      ...(text(front, 'type') ? { metadata: { imported: { type: text(front, 'type') } } } : {}),
    },
    ...datesOf(front),
  };
}

/** A note that records decisions is one; otherwise it is reference. */
function typeOf(written: string, kinds: readonly string[]): string {
  if (written !== '' && written !== 'note') return written;
  return kinds.includes('decision') ? 'decision' : 'reference';
}
