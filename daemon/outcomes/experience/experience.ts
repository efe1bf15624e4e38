import * as z from 'zod';
import { Note, type Learning } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import { type Experience, type NewExperience, TaskOutcome } from '#contract/outcomes.ts';
import { scopeOf, type ResolvedProject, resolveProject } from '../resolve-project.ts';
import { confidenceOf, EXPERIENCE } from '../../recall/inject/experience-marks.ts';
import { nameEntities } from '../../drain/writers/mentions.ts';
import { relationsIn } from '../../drain/writers/relations.ts';
import { firstSentence } from '../../text/sentences.ts';

/** The fields of an experience beyond those of every learning. */
const Metadata = z.object({ taskOutcome: TaskOutcome.catch('partial'), trace: z.string().catch('') });

export function toExperience(learning: Learning): Experience {
  if (learning.type !== EXPERIENCE) throw new DaemonError('not-found', `${learning.id} is not an experience`);
  const { id, task, title, category, guidance, tags, project, status, updatedAt: at, signals } = learning;
  const { taskOutcome: outcome, trace } = Metadata.parse(learning.metadata);
  const { quality, uses, successes } = signals;
  return {
    id,
    task: task || title,
    outcome,
    category,
    quality,
    uses,
    successes,
    confidence: confidenceOf(signals),
    lessons: guidance,
    keywords: tags,
    trace,
    project,
    deprecated: status === 'superseded',
    at,
  };
}

const OUTCOMES = { success: 'pass', partial: 'none', failed: 'fail' } as const;

export function experienceNote(
  { cwd, project, branch, ...said }: NewExperience,
  resolved: ResolvedProject = resolveProject({ cwd, project, branch }),
  more: Partial<Pick<Note, 'title' | 'confidence'>> = {},
): Note {
  const { task, outcome, category, lessons, keywords, trace, session } = said;
  const entities = nameEntities(lessons);
  return Note.parse({
    ...scopeOf(resolved, { branch }),
    title: firstSentence(task, 160),
    type: EXPERIENCE,
    category,
    tags: [...new Set(keywords)],
    outcome: OUTCOMES[outcome],
    task,
    guidance: lessons,
    rule: firstSentence(lessons, 400),
    keyMistake: outcome === 'failed' ? firstSentence(lessons, 400) : '',
    entities,
    relations: relationsIn(lessons, entities),
    metadata: { taskOutcome: outcome, trace },
    provenance: { agent: 'experience', session },
    ...more,
  });
}
