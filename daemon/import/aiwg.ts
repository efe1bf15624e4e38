import { basename, dirname } from 'node:path';
import { firstSentence } from '../text/sentences.ts';
import { type Fields, list, object, parseRecord, text } from '../transcripts/fields.ts';
import { firstFiles, inFiles, readText } from './files.ts';
import { type ForeignNote, type Importer, Unreadable } from './importer.ts';
import { dateOf, titleOf } from './values.ts';

const isJson = (file: string): boolean => file.endsWith('.json');

const isReflection = (record: Fields): boolean =>
  /^ralph-/.test(text(record, 'loop_id')) && 'evaluator_output' in record && 'self_reflection' in record;

/**
 * Reflections that AIWG's loops leave, one file for each iteration: what was tried, what came of it and what it taught.
 */
export const aiwg: Importer = {
  kind: 'aiwg',
  name: 'AIWG’s loops',
  detect: (path) =>
    firstFiles(path, isJson, 50).some((file) => {
      try {
        return isReflection(parseRecord(readText(file)));
      } catch {
        return false; // another JSON file, which decides nothing
      }
    }),
  read: (path) =>
    inFiles(path, isJson, (file, source) => {
      const record = parseRecord(readText(file));
      if (!isReflection(record)) return [{ source, skipped: 'it is not a reflection of a loop' }];
      return [{ source, ...lessonOf(record), project: projectOf(file) }];
    }),
};

function lessonOf(record: Fields): ForeignNote {
  const reflection = object(record, 'self_reflection');
  const evaluation = object(record, 'evaluator_output');
  const credit = object(reflection, 'credit_assignment');
  const said = text(reflection, 'reflection_text');
  const lessons = words(reflection.lessons_learned);
  const insights = words(reflection.actionable_insights);
  const rule = lessons[0] ?? insights[0] ?? firstSentence(said, 160);
  if (rule === '') throw new Unreadable('it says nothing that was learned');
  const passed = evaluation.passed === true;
  const errors = list(evaluation, 'errors')
    .map((error) => text(error, 'message'))
    .filter(Boolean);
  const at = dateOf(record.timestamp);
  return {
    note: {
      title: titleOf(rule),
      type: passed ? 'pattern' : 'gotcha',
      rule,
      outcome: passed ? 'pass' : 'fail',
      problem: errors.join('\n'),
      rootCause: text(credit, 'root_cause') || text(reflection, 'causal_reasoning'),
      fix: insights.join('\n'),
      body: [said, ...lessons.slice(1).map((lesson) => `- ${lesson}`)].filter(Boolean).join('\n'),
      tags: [text(credit, 'failure_category')].filter(Boolean),
      metadata: { loop: text(record, 'loop_id'), iteration: record.iteration },
      ...(typeof reflection.confidence === 'number' ? { confidence: reflection.confidence } : {}),
    },
    ...(at ? { createdAt: at, updatedAt: at } : {}),
  };
}

/** A text or a list of texts. */
const words = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter(
    (each): each is string => typeof each === 'string' && each !== '',
  );

/** The folder that holds `.aiwg`. */
function projectOf(file: string): string {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (basename(folder) === '.aiwg') return dirname(folder);
  return '';
}
