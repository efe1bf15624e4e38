import { flag } from '../../ports/knob.ts';
import type { Prompt, ToolCall } from '../event-kinds.ts';
import { type Lesson, type Sighting, signal } from '../port.ts';
import { commandOf, essence } from '../tool-use.ts';

type Verdict = 'deny-always' | 'allow-always' | 'allow-scoped' | 'allow-once' | 'deny-once';

/** Patterns in the order they are tried: lasting answers before those for one time. */
const VERDICTS: ReadonlyArray<[Verdict, RegExp]> = [
  ['deny-always', /\bnever\b|\bdon't ever\b|\bnot ever\b/],
  ['allow-scoped', /\bonly (?:for|in|on|when|if|to|under|with|inside)\b/],
  ['allow-always', /\balways\b|\bdon't ask (?:me )?again\b|\bno need to ask\b/],
  ['deny-once', /^(?:no|nope|nah|don't|do not|deny|denied|reject|stop|cancel)\b/],
  ['allow-once', /^(?:y|yes|yep|yeah|ok|okay|sure|go ahead|allow|approve[d]?|proceed|do it|fine)\b/],
];
const LASTING: ReadonlySet<Verdict> = new Set(['deny-always', 'allow-always', 'allow-scoped']);
const ASKS =
  /\b(?:needs|need|requests?|requires?|asks? for|waiting for) (?:your )?permission\b|\bpermission to (?:use|run)\b/i;
const LONGEST_ANSWER = 300; // characters; more is a new task

export const permissionReply = signal({
  id: 'signal.permission-reply',
  seeds: ['SG8'],
  doc: 'Turns a lasting answer to a request for permission into a policy; permission given once has no lasting effect.',
  switch: flag('REFLECT_SIGNAL_PERMISSION', true, 'Learn from answers to requests for permission'),
  knobs: {
    once: flag(
      'REFLECT_PERMISSION_ONCE',
      false,
      'Also keep what was allowed or denied only once, as unconfirmed',
    ),
  },
  start({ once }) {
    let asked: string | null = null;
    let lastCall: ToolCall | null = null;
    return {
      see(event): Sighting[] {
        if (event.subagent) return [];
        if (event.kind === 'tool_call') lastCall = event;
        // The tool has run: the request was answered in the agent's own dialog, and the next message is about something
        // else.
        if (event.kind === 'tool_result' && !event.failed && event.callId === lastCall?.callId) asked = null;
        if (event.kind === 'permission')
          asked = event.granted === null ? subject(event.tool, lastCall) : null;
        if (event.kind === 'meta' && ASKS.test(event.text))
          asked = subject(event.text.match(/permission to (?:use|run) ([\w.:-]+)/i)?.[1] ?? '', lastCall);
        if (event.kind !== 'prompt' || asked === null) return [];
        const about = asked;
        asked = null;
        const verdict = verdictOf(event.text);
        return verdict && (once || LASTING.has(verdict)) ? [policy(event, verdict, about)] : [];
      },
    };
  },
});

/** The requested permission: the tool, and the command it would run. */
function subject(tool: string, call: ToolCall | null): string {
  const command = call && (tool === '' || call.tool === tool) ? commandOf(call) : null;
  const name = tool || call?.tool || 'the tool';
  return command ? `${name} for \`${essence(command)}\`` : name;
}

function verdictOf(answer: string): Verdict | null {
  const text = answer.trim().toLowerCase().replace(/[‘’]/g, "'");
  return text.length > LONGEST_ANSWER
    ? null
    : (VERDICTS.find(([, pattern]) => pattern.test(text))?.[0] ?? null);
}

const RULES: Record<Verdict, (about: string) => string> = {
  'deny-always': (about) => `Never use ${about}`,
  'allow-always': (about) => `${about} may always be used without asking`,
  'allow-scoped': (about) => `${about} may be used, within limits`,
  'allow-once': (about) => `${about} was allowed once`,
  'deny-once': (about) => `${about} was denied once`,
};

function policy(trigger: Prompt, verdict: Verdict, about: string): Lesson {
  const lasting = LASTING.has(verdict);
  const quote = `${RULES[verdict](about)}. Asked for permission, the person answered: “${trigger.text.trim()}”`;
  return {
    sees: 'lesson',
    type: 'policy',
    trigger,
    quote,
    score: lasting ? 0.85 : 0.5,
    why: [`answers a request for permission (${verdict})`],
    ...(lasting ? {} : { speculative: true }),
  };
}
