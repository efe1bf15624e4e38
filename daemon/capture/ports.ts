import type { Signal } from './port.ts';
import { experience } from './signal/experience.ts';
import { failureFix } from './signal/failure-fix.ts';
import { FINDING_SIGNALS } from './signal/finding.ts';
import { forget } from './signal/forget.ts';
import { git } from './signal/git.ts';
import { HUMAN_SIGNALS } from './signal/human.ts';
import { memoryFile } from './signal/memory-file.ts';
import { permissionReply } from './signal/permission-reply.ts';
import { retraction } from './signal/retraction.ts';
import { routine } from './signal/routine.ts';
import { testOutcome } from './signal/test-outcome.ts';
import { todoCompletion } from './signal/todo-completion.ts';
import { toolLoop } from './signal/tool-loop.ts';

/** Every signal; each sees every event of a session, in this order. */
export const SIGNALS: readonly Signal[] = [
  forget,
  permissionReply,
  memoryFile,
  ...HUMAN_SIGNALS,
  retraction,
  ...FINDING_SIGNALS,
  git,
  testOutcome,
  failureFix,
  toolLoop,
  todoCompletion,
  routine,
  experience,
];
