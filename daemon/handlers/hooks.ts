import { DaemonError } from '#contract/errors.ts';
import type { Handlers } from '#contract/methods.ts';
import { canLearn } from '../agents/can-learn.ts';
import { identifyProject } from '../platform/project.ts';
import { inject } from '../recall/inject/inject.ts';
import { type Injection, withLine } from '../recall/inject/injection.ts';
import { loopWarningFor } from '../recall/inject/loop-warning.ts';
import { nudgeFor } from '../recall/inject/nudge.ts';
import { injectForPrompt } from '../recall/inject/prompt.ts';
import { injectBeforeTool } from '../recall/inject/tool-warning.ts';
import { acceptsContext, type Hook, type HookEvent, readHook, writeHook } from '../hooks/dialect.ts';
import {
  addUses,
  contextLost,
  inContext,
  lastSessionIn,
  lastUseAt,
  listSessions,
  usesOfLearning,
  usesOfSession,
} from '../store/outcomes/session-uses.ts';
import { recordLoopWarning } from '../store/capture/effects.ts';
import {
  recordSessionActivity,
  canLearnIn,
  recordNudge,
  recordLiveSession,
} from '../store/capture/sessions.ts';
import { countRecalls } from '../store/learnings/signals.ts';
import { sessionTitle } from '../text/session-title.ts';
import { typedPart } from '../transcripts/speech.ts';
import type { DaemonParts } from './daemon-parts.ts';
import { freshConventions } from './distill.ts';
import { isIgnored } from './privacy.ts';
import { recallPartsOf } from './recall.ts';
import { HOUR } from '../platform/time.ts';

const LIVE = HOUR / 6; // since its last sign of life

const WAY_BACK = 60; // ms until the hook has the answer: in a crowd two or three recalls are answered before it is sent

/** Milliseconds between the moment a hook began to wait and now: in a crowd its request is read late. */
const onItsWay = (askedAt: number | undefined) => Math.max(0, Date.now() - (askedAt ?? Infinity));

function nothingIfLate(error: unknown): null {
  if (error instanceof DaemonError && error.code === 'timed-out') return null;
  throw error;
}

export function hookHandlers(parts: DaemonParts) {
  const {
    store: { db },
    now,
  } = parts;
  return {
    'hook.run': async ({ agent, event, payload, withinMs = Infinity }) => {
      const deadline = performance.now() + withinMs - onItsWay(payload.asked_at) - WAY_BACK;
      if (agent === 'git') {
        if (event === 'post-merge') parts.branches.sessionStarted();
        const { cwd, message, source } = payload;
        await parts.commits.report({ event, cwd, message, isAgents: source === 'agent' });
        return { output: '' };
      }
      const hook = readHook(event, payload);
      if (!hook || isIgnored(parts, hook.cwd)) return { output: '' };
      requestRead(parts, hook);
      if (hook.event === 'SessionStart') {
        parts.branches.sessionStarted();
        parts.commits.sessionStarted(hook.cwd);
      }
      db.health.tolerate(() => recordSession(parts, agent, hook));
      const injector = acceptsContext(agent, hook.event) && hook.cwd ? INJECTORS[hook.event] : undefined;
      const isLate = () => performance.now() > deadline;
      const answer = isLate() ? null : await injector?.(parts, hook, deadline).catch(nothingIfLate);
      // A hook that gave up waiting never prints a late answer, so it must not be recorded as injected.
      if (!answer || answer.injection.text === '' || isLate()) return { output: '' };
      parts.afterwards.add(() => db.health.tolerate(() => recordUses(parts, agent, hook, answer)));
      return { output: writeHook(agent, hook, answer.injection.text) };
    },
    'uses.list': ({ limit, ...of }) => {
      if ('learning' in of) return usesOfLearning(db, of.learning, limit);
      const session =
        'session' in of
          ? of.session
          : lastSessionIn(db, identifyProject(of.cwd)?.id ?? '', now() - 24 * HOUR);
      return usesOfSession(db, session, limit);
    },
    'sessions.list': ({ limit }) => listSessions(db, { limit, liveSince: now() - LIVE }),
  } satisfies Partial<Handlers>;
}

interface HookAnswer {
  injection: Injection;
  via: 'start' | 'prompt' | 'tool';
  /** The moment that the agent is asked to record. */
  nudged?: number | undefined;
  /** The loop that the agent is warned of. */
  warned?: number | undefined;
}

/** The deadline is when the agent stops waiting, on the clock of `performance.now()`. */
type Injector = (parts: DaemonParts, hook: Hook, deadline: number) => Promise<HookAnswer>;

/** The events that inject context; every other event is only listened to. */
const INJECTORS: Partial<Record<HookEvent, Injector>> = {
  async SessionStart(parts, { cwd, session, source }, deadline) {
    const { db } = parts.store;
    if (source !== 'resume') db.health.tolerate(() => contextLost(db, session));
    const injected = inContext(db, session);
    const continues = injected.size > 0 ? { continues: { injected, since: lastUseAt(db, session) } } : {};
    return {
      via: 'start',
      injection: await inject(
        { ...recallPartsOf(parts), skills: parts.skills, conventions: freshConventions(parts) },
        { cwd, session, deadline, canLearn: source !== 'resume' && canLearnIn(db, session), ...continues },
      ),
    };
  },
  async UserPromptSubmit(parts, { cwd, session, prompt }, deadline) {
    const { db } = parts.store;
    const resolve = parts.settings.resolver({ projectRoot: identifyProject(cwd)?.root });
    const injected = inContext(db, session);
    // Gemini passes on what hooks added before, as if it were typed.
    const typed = typedPart(prompt);
    const finding = injectForPrompt(recallPartsOf(parts), { cwd, prompt: typed, injected, deadline });
    finding.catch(() => {}); // reported where it is awaited
    // While the question is embedded, on other threads.
    const nudge = nudgeFor(db, resolve, session, parts.now());
    const loop = loopWarningFor(db, resolve, session, parts.now());
    return {
      via: 'prompt',
      injection: withLine(withLine(await finding, nudge?.line ?? ''), loop?.line ?? ''),
      nudged: nudge?.moment,
      warned: loop?.loop,
    };
  },
  async PreToolUse(parts, { cwd, session, action }) {
    const { db } = parts.store;
    const resolve = parts.settings.resolver({ projectRoot: identifyProject(cwd)?.root });
    const loop = loopWarningFor(db, resolve, session, parts.now());
    // A warning may repeat a note injected earlier: right before the tool runs is when it matters.
    const found = await injectBeforeTool(recallPartsOf(parts), {
      cwd,
      action,
      injected: inContext(db, session, 'tool'),
    });
    return { via: 'tool', injection: withLine(found, loop?.line ?? ''), warned: loop?.loop };
  },
};

function recordUses(
  { store: { db }, now }: DaemonParts,
  agent: string,
  { cwd, session }: Hook,
  { injection: { ids, matched = {} }, via, nudged, warned }: HookAnswer,
): void {
  if (warned !== undefined) recordLoopWarning(db, session, warned);
  if (nudged !== undefined) recordNudge(db, { moment: nudged, session, at: now() });
  countRecalls(db, ids, now());
  addUses(db, { ids, matched, session, via, agent, project: identifyProject(cwd)?.id ?? '', at: now() });
}

/** Events that begin a turn: the session is live, and its agent can be asked something. */
const BEGINNINGS: ReadonlySet<HookEvent> = new Set(['SessionStart', 'UserPromptSubmit']);

function recordSession({ store: { db }, now, installContext }: DaemonParts, agent: string, hook: Hook): void {
  const project = BEGINNINGS.has(hook.event) ? identifyProject(hook.cwd) : null;
  if (!project || hook.subagent) return;
  const seen = { session: hook.session, agent, project: project.id, at: now() };
  recordLiveSession(db, seen, () => canLearn(agent, project.root, installContext));
  // The transcript may be read much later, or never.
  recordSessionActivity(db, { ...seen, request: sessionTitle(typedPart(hook.prompt)) });
}

/** Events that end a turn or session: the transcript holds the whole answer, so its moments need not wait. */
const ENDINGS: ReadonlySet<HookEvent> = new Set(['Stop', 'SessionEnd']);
/** Events after which the transcript has grown. */
const GROWTH: ReadonlySet<HookEvent> = new Set([
  'PostToolUse',
  'PostToolUseFailure',
  'Notification',
  'PermissionRequest',
  'SubagentStop',
  'PreCompact',
  ...ENDINGS,
]);

/** A read request: learnings come from transcripts, so a hook only reports that there is more to read. */
function requestRead({ capture }: DaemonParts, { event, transcript, tool, asksPermission }: Hook): void {
  if (transcript === '' || !GROWTH.has(event)) return;
  void capture.readNow({
    path: transcript,
    ...(ENDINGS.has(event) ? { turnEnded: true } : {}),
    ...(event === 'SessionEnd' ? { ended: true } : {}),
    ...(asksPermission ? { asksFor: tool } : {}),
  });
}
