import type { Handlers } from '#contract/methods.ts';
import { identifyProject } from '../platform/project.ts';
import { inject } from '../recall/inject/inject.ts';
import type { Injection } from '../recall/inject/injection.ts';
import { injectForPrompt } from '../recall/inject/prompt.ts';
import { injectBeforeTool } from '../recall/inject/tool-warning.ts';
import { type Hook, type HookEvent, listens, readHook, writeHook } from '../hooks/dialect.ts';
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
import { countRecalls } from '../store/learnings/signals.ts';
import { hurryMoments } from '../store/capture/moments.ts';
import type { DaemonParts } from './daemon-parts.ts';
import { freshConventions } from './distill.ts';
import { recallPartsOf } from './recall.ts';

type Methods = 'hook.run' | 'uses.list' | 'sessions.list';

const HOUR = 3_600_000; // ms

export function hookHandlers(parts: DaemonParts): Pick<Handlers, Methods> {
  const {
    store: { db },
    now,
  } = parts;
  return {
    'hook.run': async ({ agent, event, payload, withinMs = Infinity }) => {
      const start = performance.now();
      const hook = readHook(event, payload);
      if (!hook) return { output: '' };
      hurry(parts, hook);
      const telling = listens(agent, hook.event) && hook.cwd ? TELLS[hook.event] : undefined;
      const told = await telling?.(parts, hook);
      // Whoever asked has given up by now: what nobody heard was not told.
      if (!told?.injection.ids || told.injection.text === '' || performance.now() - start > withinMs)
        return { output: '' };
      remember(parts, agent, hook, told);
      return { output: writeHook(agent, hook, told.injection.text) };
    },
    'uses.list': ({ limit, ...of }) => {
      if ('learning' in of) return usesOfLearning(db, of.learning, limit);
      const session =
        'session' in of
          ? of.session
          : lastSessionIn(db, identifyProject(of.cwd)?.id ?? '', now() - 24 * HOUR);
      return usesOfSession(db, session, limit);
    },
    'sessions.list': ({ limit }) => listSessions(db, limit),
  };
}

interface Told {
  injection: Injection;
  via: 'start' | 'prompt' | 'tool';
}

type Tell = (parts: DaemonParts, hook: Hook) => Promise<Told>;

/** What an agent is told when; at everything else it is only listened to. */
const TELLS: Partial<Record<HookEvent, Tell>> = {
  async SessionStart(parts, { cwd, session, source }) {
    const { db } = parts.store;
    if (source !== 'resume') contextLost(db, session);
    const injected = inContext(db, session);
    const continues = injected.size > 0 ? { continues: { injected, since: lastUseAt(db, session) } } : {};
    return {
      via: 'start',
      injection: await inject(
        { ...recallPartsOf(parts), skills: parts.skills, conventions: freshConventions(parts) },
        { cwd, session, ...continues },
      ),
    };
  },
  async UserPromptSubmit(parts, { cwd, session, prompt }) {
    return {
      via: 'prompt',
      injection: await injectForPrompt(recallPartsOf(parts), {
        cwd,
        prompt,
        injected: inContext(parts.store.db, session),
      }),
    };
  },
  async PreToolUse(parts, { cwd, session, action }) {
    // At the very moment it matters it may be said once more, whatever was told at the start.
    return {
      via: 'tool',
      injection: await injectBeforeTool(recallPartsOf(parts), {
        cwd,
        action,
        injected: inContext(parts.store.db, session, 'tool'),
      }),
    };
  },
};

function remember(
  { store: { db }, now }: DaemonParts,
  agent: string,
  { cwd, session }: Hook,
  { injection: { ids }, via }: Told,
): void {
  countRecalls(db, ids, now());
  addUses(db, { ids, session, via, agent, project: identifyProject(cwd)?.id ?? '', at: now() });
}

/** When a turn or a session is over, the agent's answer is part of the transcript: nothing more need be waited for. */
const OVER: ReadonlySet<HookEvent> = new Set(['Stop', 'SubagentStop', 'PreCompact', 'SessionEnd']);
const GROWN: ReadonlySet<HookEvent> = new Set([
  'PostToolUse',
  'PostToolUseFailure',
  'Notification',
  'PermissionRequest',
  ...OVER,
]);

/** What is learned is read from transcripts; a hook only says that there is something to be read, and nobody waits for it. */
function hurry(
  { capture, drain, store, signal, now }: DaemonParts,
  { event, session, transcript, tool, asksPermission }: Hook,
): void {
  if (transcript === '' || !GROWN.has(event)) return;
  void capture
    .readNow({
      path: transcript,
      ...(event === 'SessionEnd' ? { ended: true } : {}),
      ...(asksPermission ? { asksFor: tool } : {}),
    })
    .then(() => {
      if (!OVER.has(event) || signal.aborted) return;
      hurryMoments(store.db, session, now());
      drain.wake();
    });
}
