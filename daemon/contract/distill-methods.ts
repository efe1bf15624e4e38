import * as z from 'zod';
import {
  Conventions,
  Distilled,
  DistillStatus,
  Observation,
  ObservationAction,
  ObservationChange,
  ObservationsRevised,
  PersonaFact,
  PrincipleProposal,
  SkilledAgent,
  SkillPreview,
  StaleSkill,
} from './distill.ts';
import { Learning } from './entities.ts';
import { done, none, path as cwd, project } from './fields.ts';
import { method } from './method.ts';

const here = z.strictObject({
  project: project.optional().describe("A project id; '' for every project"),
  cwd: cwd.optional().describe('A folder of the project, instead of its id'),
});
const promotion = z.strictObject({
  id: Learning.shape.id,
  agent: z.string().min(1).max(60).describe('The agent that gets the skill, e.g. claude-code or codex'),
  cwd: cwd.optional().describe("A folder of the project to write it to; by default the agent's home"),
  name: z.string().max(200).optional().describe('Its name: lower-case letters, digits and hyphens'),
});

/**
 * Knowledge distilled from many learnings: principles, observations, conventions, persona, skills. Part of the one
 * table of methods.
 */
export const DISTILL_METHODS = {
  'distill.status': method(
    'Show the last and the next search for principles and observations',
    none,
    DistillStatus,
  ),
  'distill.run': method(
    'Look for principles and observations if it is due; with now, in any case',
    z.strictObject({ now: z.boolean().default(false) }),
    Distilled,
    { long: true },
  ),
  'principles.list': method(
    'List proposed principles: rules that several learnings share',
    none,
    z.array(PrincipleProposal),
  ),
  'principles.decide': method(
    'Accept a proposed principle, optionally reworded, or reject it',
    z.strictObject({
      id: Learning.shape.id,
      action: z.enum(['accept', 'reject']),
      title: Learning.shape.title.optional(),
      rule: z.string().max(100_000).optional(),
    }),
    z.strictObject({ learning: Learning, changeId: z.number().int() }),
  ),
  'observations.list': method(
    'List observations of how people here like things done, best proven first',
    here.extend({
      status: Observation.shape.status.optional(),
      limit: z.number().int().min(1).max(500).default(10),
    }),
    z.array(Observation),
  ),
  'observations.revise': method(
    'Create, update, retire or restore observations; an update counts new evidence only',
    z.strictObject({
      actions: z.array(ObservationAction).min(1).max(500),
      actor: z.string().trim().min(1).max(60).default('agent'),
    }),
    ObservationsRevised,
  ),
  'observations.history': method(
    'List the changes of an observation, newest first',
    z.strictObject({ id: z.string().min(1).max(200) }),
    z.array(ObservationChange),
  ),
  'conventions.get': method('Get the conventions of a project as one document', here, Conventions),
  'conventions.refresh': method('Regenerate the conventions of a project', here, Conventions),
  'conventions.link': method(
    'Link the conventions into the repository as CONVENTIONS.md; an existing file is kept',
    z.strictObject({ cwd }),
    Conventions,
  ),
  'conventions.unlink': method(
    'Remove the link to the conventions from the repository',
    z.strictObject({ cwd }),
    Conventions,
  ),
  'persona.list': method('List known facts about how a project works', here, z.array(PersonaFact)),
  'skills.stale': method(
    'List skills that newer learnings may contradict',
    z.strictObject({ cwd: cwd.optional() }),
    z.array(StaleSkill),
  ),
  'skills.confirm': method(
    'Confirm that a skill is still right, or withdraw the confirmation',
    z.strictObject({ path: cwd, confirmed: z.boolean().default(true) }),
    done,
  ),
  'skills.agents': method(
    'List agents that support skills, installed ones first',
    none,
    z.array(SkilledAgent),
  ),
  'skills.preview': method('Preview a learning as a skill; nothing is written', promotion, SkillPreview),
  'skills.promote': method('Promote a learning to a skill of an agent', promotion, SkillPreview),
  'skills.demote': method(
    'Remove a promoted skill, unless it was edited since',
    z.strictObject({ path: cwd }),
    done,
  ),
};
