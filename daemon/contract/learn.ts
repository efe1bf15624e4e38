import * as z from 'zod';
import { Learning } from './entities.ts';
import { path, session } from './fields.ts';

/** When an agent should record a learning. The tool's description and the start of a session say the same. */
export const LEARN_WHEN =
  'When a person corrects you, a decision is made, a cause is confirmed or you run into a trap';

const prose = z.string().trim().max(4_000).default('');

/** Something worth keeping, in the words of the agent that was there. */
export const Lesson = z.strictObject({
  rule: z
    .string()
    .trim()
    .min(12)
    .max(300)
    .describe('What to do or know next time, in one sentence that names its subject and needs no context'),
  when: prose.describe('The situation it applies to'),
  why: prose.describe('The reason or the cause'),
  evidence: prose.describe('A quote, a command or an error that shows it'),
  kind: z
    .enum(['correction', 'decision', 'cause', 'trap'])
    .default('correction')
    .describe('What taught you: a correction, a decision, a confirmed cause or a trap'),
  branch: z
    .boolean()
    .default(false)
    .describe(
      'True if it applies only to unfinished work on this branch; otherwise it applies to the project',
    ),
  cwd: path.describe('Your working folder; the learning goes to its project'),
  session: session.optional().describe('Your session id; by default the latest session of the folder'),
});
export type Lesson = z.output<typeof Lesson>;

export const Learned = z.strictObject({
  /** `updated`: it is one more proof of a known learning; `held`: a person decides whether it equals another one. */
  outcome: z.enum(['created', 'updated', 'held', 'known']),
  learning: Learning,
  /** Titles of known learnings about the same. */
  alike: z.array(z.string()),
});
