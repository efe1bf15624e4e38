import type { Signal } from './port.ts';
import { answer } from './signal/answer.ts';
import { correction } from './signal/correction.ts';
import { decision } from './signal/decision.ts';
import { experience } from './signal/experience.ts';
import { failureFix } from './signal/failure-fix.ts';
import { forget } from './signal/forget.ts';
import { git } from './signal/git.ts';
import { gotcha } from './signal/gotcha.ts';
import { permissionReply } from './signal/permission-reply.ts';
import { preference } from './signal/preference.ts';
import { queued } from './signal/queued.ts';
import { redirect } from './signal/redirect.ts';
import { rejection } from './signal/rejection.ts';
import { repeated } from './signal/repeated.ts';
import { retraction } from './signal/retraction.ts';
import { rootCause } from './signal/root-cause.ts';
import { testOutcome } from './signal/test-outcome.ts';
import { todoCompletion } from './signal/todo-completion.ts';
import { toolLoop } from './signal/tool-loop.ts';

/** Every signal; each sees every event of a session, in this order. */
export const SIGNALS: readonly Signal[] = [
  forget,
  permissionReply,
  rejection,
  answer,
  queued,
  redirect,
  repeated,
  decision,
  preference,
  correction,
  retraction,
  rootCause,
  gotcha,
  git,
  testOutcome,
  failureFix,
  toolLoop,
  todoCompletion,
  experience,
];
