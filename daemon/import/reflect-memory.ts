import { existsSync } from 'node:fs';
import { documentFrom } from '../store/learnings/document-format.ts';
import { readYaml } from '../store/learnings/document-yaml.ts';
import { sidecarPath } from '../store/learnings/documents.ts';
import { type Fields, isFields, list, text } from '../transcripts/fields.ts';
import {
  firstFiles,
  inFiles,
  isMarkdown,
  type MarkdownFile,
  peekMarkdown,
  readMarkdown,
  readText,
} from './files.ts';
import type { ForeignNote, Found, Importer } from './importer.ts';
import { dateOf, datesOf, entitiesOf, relationsOf, tagsOf, titleOf } from './values.ts';

const SIGNS = ['confidence', 'confidence_num', 'key_insight', 'learning_type', 'root_cause', 'rule', 'fix'];
const CONFIDENCE: Readonly<Record<string, number>> = { high: 0.9, medium: 0.6, low: 0.3 };
const RETIRED = /^(?:superseded|reverted|rejected|archived|forgotten|deleted|retired|deprecated)$/i;
/** Fields it writes in words or forms of its own. */
const TRANSLATED = [
  'type',
  'learning_type',
  'scope',
  'confidence',
  'confidence_num',
  'project',
  'project_id',
  'tags',
  'created',
  'updated',
  'forget_after',
  'status',
  'provenance',
  'entities',
  'causal_relations',
  'superseded_by',
];

/** Notes of reflect-memory, and of another Reflect, whose files are alike. */
export const reflectMemory: Importer = {
  kind: 'reflect-memory',
  name: 'reflect-memory notes',
  detect: (path) =>
    firstFiles(path, isMarkdown, 50).some((file) => {
      const front = peekMarkdown(file)?.front ?? {};
      return 'title' in front && SIGNS.filter((sign) => sign in front).length >= 2;
    }),
  read: (path) =>
    inFiles(path, isMarkdown, (file, source) => {
      const sidecar = sidecarPath(file);
      return [foundIn(source, readMarkdown(file), existsSync(sidecar) ? readText(sidecar) : null)];
    }),
};

/** One note of reflect-memory: a markdown file and perhaps its entities. */
export function foundIn(source: string, markdown: MarkdownFile, sidecar: string | null): Found {
  const { front } = markdown;
  const retired = retiredBecause(front);
  return retired ? { source, skipped: retired } : { source, ...translated(markdown, sidecar) };
}

function retiredBecause(front: Fields): string | null {
  if (text(front, 'superseded_by')) return `it was superseded there by ${text(front, 'superseded_by')}`;
  if (RETIRED.test(text(front, 'status'))) return `it is ${text(front, 'status').toLowerCase()} there`;
  return front.quarantine === true ? 'it is in quarantine there' : null;
}

function translated({ front, body, title }: MarkdownFile, sidecar: string | null): ForeignNote {
  const graph = sidecar === null ? {} : readYaml(sidecar, 'entities file');
  const kept = Object.fromEntries(Object.entries(front).filter(([key]) => !TRANSLATED.includes(key)));
  const provenance = isFields(front.provenance) ? front.provenance : {};
  const { note } = documentFrom({
    front: {
      ...kept,
      id: undefined,
      title: titleOf(title),
      tags: tagsOf(front.tags),
      type: typeOf(front),
      ...confidenceOf(front),
      metadata: { ...(isFields(front.metadata) ? front.metadata : {}), ...wordedThere(front) },
      provenance: { agent: text(provenance, 'agent', 'source_tool'), quote: text(provenance, 'quote') },
    },
    body,
    sidecar: null,
  });
  const relations = [
    ...list(isFields(graph) ? graph : {}, 'relationships'),
    ...list(front, 'causal_relations'),
  ];
  return {
    note: {
      ...note,
      forgetAfter: dateOf(front.forget_after) ?? null,
      entities: entitiesOf([...listOf(isFields(graph) ? graph.entities : []), ...listOf(front.entities)]),
      relations: relationsOf(relations),
    },
    project: text(front, 'project_id', 'project') || (/^project:(.+)/.exec(text(front, 'scope'))?.[1] ?? ''),
    ...datesOf(front),
  };
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const typeOf = (front: Fields): string => {
  const written = text(front, 'learning_type', 'type');
  return written === '' || written === 'learning' ? 'pattern' : written;
};

/** A number, or one of three words for it. */
function confidenceOf(front: Fields): { confidence?: number } {
  const known = [front.confidence_num, front.confidence].find((value) => typeof value === 'number');
  const confidence = known ?? CONFIDENCE[text(front, 'confidence').toLowerCase()];
  return confidence === undefined ? {} : { confidence: Math.min(1, Math.max(0, confidence)) };
}

/** Fields that are said differently here, in their own words, so that nothing is lost. */
function wordedThere(front: Fields): Record<string, unknown> {
  const said = ['id', 'scope', 'confidence', 'confidence_num', 'status', 'provenance'].filter(
    (key) => front[key] !== undefined,
  );
  return said.length === 0 ? {} : { imported: Object.fromEntries(said.map((key) => [key, front[key]])) };
}
