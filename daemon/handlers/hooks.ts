import * as z from 'zod';
import type { Handlers } from '#contract/methods.ts';
import { inject } from '../recall/inject.ts';
import { freshConventions } from './distill.ts';
import type { DaemonParts } from './daemon-parts.ts';
import { recallPartsOf } from './recall.ts';

const Payload = z.looseObject({ cwd: z.string().optional(), session_id: z.string().optional(), sessionId: z.string().optional() });

/** What an agent's hook prints. An event we have nothing to say about gets silence. */
export function hookHandlers(parts: DaemonParts): Pick<Handlers, 'hook.run'> {
  return {
    'hook.run': async ({ agent, event, payload }) => {
      const { cwd, session_id: session, sessionId } = Payload.parse(payload);
      if (event !== 'SessionStart' || !cwd) return { output: '' };
      const { text } = await inject({ ...recallPartsOf(parts), skills: parts.skills, conventions: freshConventions(parts) }, { cwd, session: session ?? sessionId });
      if (!text) return { output: '' };
      return { output: JSON.stringify(spoken(agent, event, text)) };
    },
  };
}

/** Copilot CLI looks for what it is told at the top, the others under the event's name. */
function spoken(agent: string, event: string, text: string): object {
  return agent === 'copilot-cli' ? { additionalContext: text } : { hookSpecificOutput: { hookEventName: event, additionalContext: text } };
}
