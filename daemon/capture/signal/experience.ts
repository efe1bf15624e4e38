import { flag, integer } from '../../ports/knob.ts';
import type { ToolCall, ToolResult } from '../event-kinds.ts';
import { lessonsOfTurn } from '../judge/lessons-of-turn.ts';
import { type Effect, type SessionView, type Sighting, signal } from '../port.ts';
import { commandOf, essence, filesChangedBy, hasFailed, listFiles } from '../tool-use.ts';

const STEPS_KEPT = 30;
const ERRORS_KEPT = 5;
const LONGEST_TASK = 2_000;

interface Step {
  call: ToolCall;
  /** Null while it runs, and for agents that write no result. */
  result: ToolResult | null;
}

interface Turn {
  task: string;
  steps: Step[];
  interrupted: boolean;
}

export const experience = signal({
  id: 'signal.experience',
  seeds: [],
  doc: 'Saves the lesson of a task with several tool calls or errors as an experience, if somebody said why.',
  switch: flag('REFLECT_SIGNAL_EXPERIENCE', true, 'Keep experiences of finished tasks'),
  knobs: {
    toolCalls: integer('REFLECT_EXPERIENCE_TOOL_CALLS', {
      default: 2,
      min: 1,
      max: 100,
      doc: 'Minimum tool calls of a task for an experience; a task with an error always counts',
    }),
  },
  start({ toolCalls }) {
    let turn: Turn | null = null;
    const finish = ({ statements, weights }: SessionView): Effect[] => {
      const done = turn;
      turn = null;
      return done && (done.steps.length >= toolCalls || done.steps.some(failed))
        ? [{ sees: 'experience', ...summaryOf(done), lessons: lessonsOfTurn(statements, weights.finding) }]
        : [];
    };
    return {
      see(event, session): Sighting[] {
        if (event.subagent) return [];
        if (event.kind === 'tool_call') turn?.steps.push({ call: event, result: null });
        if (event.kind === 'tool_result') {
          const step = turn?.steps.findLast(({ call }) => call.callId === event.callId);
          if (step) step.result = event;
        }
        if (event.kind === 'interruption' && turn) turn.interrupted = true;
        if (event.kind !== 'prompt' || event.via !== 'typed') return [];
        const finished = finish(session);
        turn = { task: event.text.slice(0, LONGEST_TASK), steps: [], interrupted: false };
        return finished;
      },
      rest: finish,
    };
  },
});

const failed = ({ result }: Step): boolean => result !== null && hasFailed(result);

function summaryOf({ task, steps, interrupted }: Turn) {
  const last = steps.findLast(({ result }) => result !== null);
  const outcome = interrupted
    ? ('partial' as const)
    : last && failed(last)
      ? ('failed' as const)
      : ('success' as const);
  const errors = steps
    .filter(failed)
    .slice(-ERRORS_KEPT)
    .map(({ result }) => errorIn(result?.output ?? ''));
  return { task, outcome, steps: steps.slice(-STEPS_KEPT).map(shown), errors };
}

function shown(step: Step): string {
  const command = commandOf(step.call);
  const files = filesChangedBy(step.call);
  const what = command
    ? `\`${essence(command)}\``
    : files.length > 0
      ? `${step.call.tool} ${listFiles(files, step.call.cwd)}`
      : step.call.tool;
  return failed(step) ? `${what} (failed)` : what;
}

function errorIn(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return (
    lines.find((line) => /error|fail|cannot|not found|denied|invalid/i.test(line)) ??
    lines[0] ??
    'an error'
  ).slice(0, 300);
}
