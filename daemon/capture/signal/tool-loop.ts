import { createHash } from 'node:crypto';
import { flag, integer, number } from '../../ports/knob.ts';
import type { ToolCall } from '../event-kinds.ts';
import { signal } from '../port.ts';

// Polling for something to finish is waiting, not going in circles.
const WAITS = /output|wait|poll|status|stdin|sleep/i;

export const toolLoop = signal({
  id: 'signal.tool-loop',
  seeds: ['SG5'],
  doc: 'Notices when an agent goes in circles: the same call over and over, or two calls in turn.',
  switch: flag('REFLECT_SIGNAL_TOOL_LOOP', true, 'Notice agents that go in circles'),
  knobs: {
    window: integer('REFLECT_LOOP_WINDOW', {
      default: 10,
      min: 4,
      max: 100,
      doc: 'How many of the last tool calls are compared',
    }),
    troubleHours: number('REFLECT_TROUBLE_HOURS', {
      default: 6,
      min: 0.1,
      max: 720,
      doc: 'Hours for which a loop or broken tests count as trouble',
    }),
    repeats: integer('REFLECT_LOOP_REPEATS', {
      default: 3,
      min: 2,
      max: 100,
      doc: 'How many identical calls in a row are a loop',
    }),
  },
  start({ window, repeats }) {
    const calls = new Map<string, string[]>();
    return {
      see(event) {
        // A call repeated because a person asked for it is no loop.
        if (event.kind === 'prompt') calls.delete(laneOf(event));
        if (event.kind !== 'tool_call' || WAITS.test(event.tool)) return [];
        const recent = [...(calls.get(laneOf(event)) ?? []), signatureOf(event)].slice(-window);
        const found = loopIn(recent, repeats);
        calls.set(laneOf(event), found ? [] : recent);
        return found
          ? [
              {
                sees: 'trouble',
                kind: 'loop',
                detail: `${found}: ${event.tool} ${event.input.slice(0, 200)}`,
              },
            ]
          : [];
      },
    };
  },
});

/** A subagent works beside its session, not in turn with it. */
const laneOf = ({ session, subagent }: { session: string; subagent: boolean }) => `${session}:${subagent}`;
const signatureOf = ({ tool, input }: ToolCall) =>
  `${tool}:${createHash('sha1').update(input).digest('hex').slice(0, 12)}`;

function loopIn(calls: string[], repeats: number): string | null {
  const same = calls.slice(-repeats);
  if (same.length === repeats && same.every((call) => call === same[0]))
    return `the same call ${repeats} times`;
  const [a, b, c, d] = calls.slice(-4);
  return d !== undefined && a === c && b === d && a !== b ? 'two calls in turn' : null;
}
