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
  project: project.optional().describe("A project id; '' for what is true everywhere"),
  cwd: cwd.optional().describe('A folder of the project, instead of its id'),
});
const promotion = z.strictObject({
  id: Learning.shape.id,
  agent: z.string().min(1).max(60).describe('Whose skill it becomes, e.g. claude-code or codex'),
  cwd: cwd.optional().describe("A folder of the project to put it into; without it, the agent's own home"),
  name: z.string().max(200).optional().describe('What it is called: small letters, digits and hyphens'),
});

/** What many learnings say together: principles, observations, conventions, a persona, skills. Part of the one table of methods. */
export const DISTILL_METHODS = {
  'distill.status': method(
    'When learnings were last drawn together and when they will be',
    none,
    DistillStatus,
  ),
  'distill.run': method(
    'Draw learnings together now, if that is due; or whether it is or not',
    z.strictObject({ now: z.boolean().default(false) }),
    Distilled,
    { long: true },
  ),
  'principles.list': method(
    'Rules that several learnings have in common and that wait for a decision',
    none,
    z.array(PrincipleProposal),
  ),
  'principles.decide': method(
    'Let a proposed principle stand, in your own words if you like, or reject it',
    z.strictObject({
      id: Learning.shape.id,
      action: z.enum(['accept', 'reject']),
      title: Learning.shape.title.optional(),
      rule: z.string().max(100_000).optional(),
    }),
    z.strictObject({ learning: Learning, changeId: z.number().int() }),
  ),
  'observations.list': method(
    'How people here like things done, the best proven first',
    here.extend({
      status: Observation.shape.status.optional(),
      limit: z.number().int().min(1).max(500).default(10),
    }),
    z.array(Observation),
  ),
  'observations.revise': method(
    'Create, update, retire or restore observations; each update counts only evidence that is new',
    z.strictObject({
      actions: z.array(ObservationAction).min(1).max(500),
      actor: z.string().trim().min(1).max(60).default('agent'),
    }),
    ObservationsRevised,
  ),
  'observations.history': method(
    'Every change of an observation, newest first',
    z.strictObject({ id: z.string().min(1).max(200) }),
    z.array(ObservationChange),
  ),
  'conventions.get': method('The conventions of a project as one document', here, Conventions),
  'conventions.refresh': method('Write the conventions of a project anew', here, Conventions),
  'conventions.link': method(
    'Link the conventions into the repository as CONVENTIONS.md; a file that is there stays',
    z.strictObject({ cwd }),
    Conventions,
  ),
  'conventions.unlink': method(
    'Take the link to the conventions out of the repository',
    z.strictObject({ cwd }),
    Conventions,
  ),
  'persona.list': method('What is known of how a project does things', here, z.array(PersonaFact)),
  'skills.stale': method(
    'Skills that what was learned since may have made wrong',
    z.strictObject({ cwd: cwd.optional() }),
    z.array(StaleSkill),
  ),
  'skills.confirm': method(
    'Say that a skill is right as it is, whatever was learned since; or take that back',
    z.strictObject({ path: cwd, confirmed: z.boolean().default(true) }),
    done,
  ),
  'skills.agents': method(
    'The agents that can be given skills, those on this machine first',
    none,
    z.array(SkilledAgent),
  ),
  'skills.preview': method(
    'A learning as the skill it would become; nothing is written',
    promotion,
    SkillPreview,
  ),
  'skills.promote': method('Write a learning as a skill of an agent', promotion, SkillPreview),
  'skills.demote': method(
    'Take back a skill that was promoted, unless it was edited since',
    z.strictObject({ path: cwd }),
    done,
  ),
};
