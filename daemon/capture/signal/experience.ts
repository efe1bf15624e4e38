import { flag, integer } from '../../ports/knob.ts';
import { type Effect, type Sighting, signal } from '../port.ts';
import { commandOf, essence, filesChangedBy, hasFailed, listFiles, type ToolUse, ToolUses } from '../tool-use.ts';

const STEPS_KEPT = 30;
const LONGEST_TASK = 2_000;

interface Turn {
  task: string;
  uses: ToolUse[];
  interrupted: boolean;
}

export const experience = signal({
  id: 'signal.experience',
  seeds: [],
  // It tells of every longer turn, right or wrong, and what it says is put together from calls: most of it is of no use later.
  doc: 'Keeps what came of every task that took several tool calls or met errors, as an experience; off because most such notes say little.',
  switch: flag('REFLECT_SIGNAL_EXPERIENCE', false, 'Keep experiences of finished tasks'),
  knobs: { toolCalls: integer('REFLECT_EXPERIENCE_TOOL_CALLS', { default: 2, min: 1, max: 100, doc: 'How many tool calls make a task worth an experience; one that met an error always is' }) },
  start({ toolCalls }) {
    const pairs = new ToolUses();
    let turn: Turn | null = null;
    const finish = (): Effect[] => {
      const done = turn;
      turn = null;
      if (!done || (done.uses.length < toolCalls && !done.uses.some(({ result }) => hasFailed(result)))) return [];
      return [{ sees: 'experience', ...told(done) }];
    };
    return {
      see(event): Sighting[] {
        if (event.subagent) return [];
        const use = pairs.follow(event);
        if (use) turn?.uses.push(use);
        if (event.kind === 'interruption' && turn) turn.interrupted = true;
        if (event.kind !== 'prompt' || event.via !== 'typed') return [];
        const finished = finish();
        turn = { task: event.text.slice(0, LONGEST_TASK), uses: [], interrupted: false };
        return finished;
      },
      rest: finish,
    };
  },
});

function told({ task, uses, interrupted }: Turn) {
  const last = uses.at(-1);
  const outcome = interrupted ? ('partial' as const) : last && hasFailed(last.result) ? ('failed' as const) : ('success' as const);
  return { task, outcome, steps: uses.slice(-STEPS_KEPT).map(stepOf), errors: uses.filter(({ result }) => hasFailed(result)).slice(-5).map(({ result }) => errorIn(result.output)) };
}

function stepOf({ call, result }: ToolUse): string {
  const command = commandOf(call);
  const files = filesChangedBy(call);
  const what = command ? `\`${essence(command)}\`` : files.length > 0 ? `${call.tool} ${listFiles(files, call.cwd)}` : call.tool;
  return hasFailed(result) ? `${what} (failed)` : what;
}

const errorIn = (output: string): string => {
  const lines = output.split('\n').map((line) => line.trim()).filter(Boolean);
  return (lines.find((line) => /error|fail|cannot|not found|denied|invalid/i.test(line)) ?? lines[0] ?? 'an error').slice(0, 300);
};
