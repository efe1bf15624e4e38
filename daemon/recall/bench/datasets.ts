import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { NoteInput } from '#contract/entities.ts';

/** A question with the keys of the documents that answer it. */
export interface LabelledQuery {
  query: string;
  relevant: string[];
}

/** One knowledge base to search, with questions about it. */
export interface LabelledSet {
  name: string;
  documents: Array<{ key: string; note: NoteInput; at: number }>;
  queries: LabelledQuery[];
}

const LINE = 390; // characters that fit a title

const Turn = z.looseObject({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.string().optional(),
});
const Conversation = z.looseObject({
  sample_id: z.coerce.string(),
  conversation: z.record(z.string(), z.unknown()),
  qa: z.array(
    z.looseObject({ question: z.string(), evidence: z.array(z.string()).default([]), category: z.number() }),
  ),
});

/** Questions about conversations; each conversation is a knowledge base of its own, each turn a note. */
function readConversations(folder: string): LabelledSet[] {
  return jsonFiles(folder)
    .flatMap((file) => z.array(Conversation).parse(readJson(join(folder, file))))
    .map(({ sample_id, conversation, qa }) => {
      const documents = Object.entries(conversation).flatMap(([name, value]) => {
        if (!/^session_\d+$/.test(name)) return [];
        const at = readDate(String(conversation[`${name}_date_time`] ?? ''));
        return z
          .array(Turn)
          .parse(value)
          .map(({ speaker, dia_id, text, blip_caption }) => {
            const said = `${speaker}: ${text}${blip_caption ? ` [shares a picture of ${blip_caption}]` : ''}`;
            return {
              key: dia_id,
              at,
              note: { title: said.slice(0, LINE), ...(said.length > LINE ? { body: said } : {}) },
            };
          });
      });
      const known = new Set(documents.map(({ key }) => key));
      const queries = qa.map(({ question, evidence }) => ({
        query: question,
        relevant: evidence.flatMap((id) => id.split(/[;,\s]+/)).filter((id) => known.has(id)),
      }));
      return {
        name: `conversations/${sample_id}`,
        documents,
        queries: queries.filter(({ relevant }) => relevant.length > 0),
      };
    });
}

/** "1:56 pm on 8 May, 2023" */
function readDate(text: string): number {
  const [, time = '12:00', half = 'pm', date = ''] = text.match(/^(\d+:\d+) (am|pm) on (.+)$/) ?? [];
  const at = Date.parse(`${date.replace(',', '')} ${time} ${half.toUpperCase()} UTC`);
  return Number.isNaN(at) ? 0 : at;
}

/** Search queries of developers, each with the Python function that answers it. */
function readCodeSearch(folder: string): LabelledSet[] {
  const corpus = z
    .array(z.object({ idx: z.number(), code: z.string() }))
    .parse(readJson(join(folder, 'corpus.json')));
  const queries = jsonFiles(folder)
    .filter((file) => file.endsWith('-queries.json'))
    .flatMap((file) =>
      z.array(z.object({ query: z.string(), relevant: z.number() })).parse(readJson(join(folder, file))),
    );
  return [
    {
      name: 'code search',
      documents: corpus.map(({ idx, code }) => ({
        key: String(idx),
        at: 0,
        note: { title: (code.split('\n')[0] ?? 'code').slice(0, LINE) || 'code', body: code },
      })),
      queries: queries.map(({ query, relevant }) => ({ query, relevant: [String(relevant)] })),
    },
  ];
}

const Label = z.looseObject({
  id: z.string(),
  learning: z.string(),
  queries: z.array(z.string()),
  dup_group: z.string().nullish(),
});

/** Notes of people and the questions of later sessions. Labels of one lesson count as answers for each other. */
function readNotes(file: string): LabelledSet[] {
  const labels = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => Label.parse(JSON.parse(line)));
  const sameLesson = ({ id, dup_group }: z.infer<typeof Label>) =>
    labels
      .filter((other) => other.id === id || (dup_group && other.dup_group === dup_group))
      .map((other) => other.id);
  return [
    {
      name: 'notes',
      documents: labels.map(({ id, learning }) => ({
        key: id,
        at: 0,
        note: { title: learning.slice(0, LINE), ...(learning.length > LINE ? { body: learning } : {}) },
      })),
      queries: labels.flatMap((label) =>
        label.queries.map((query) => ({ query, relevant: sameLesson(label) })),
      ),
    },
  ];
}

/** Every labelled set in a data folder; missing ones are skipped. */
export function readSets(data: string): LabelledSet[] {
  const sets: LabelledSet[] = [];
  if (existsSync(join(data, 'capture/labels.jsonl')))
    sets.push(...readNotes(join(data, 'capture/labels.jsonl')));
  if (existsSync(join(data, 'locomo'))) sets.push(...readConversations(join(data, 'locomo')));
  if (existsSync(join(data, 'cosqa/corpus.json'))) sets.push(...readCodeSearch(join(data, 'cosqa')));
  return sets;
}

const jsonFiles = (folder: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .toSorted();
const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
