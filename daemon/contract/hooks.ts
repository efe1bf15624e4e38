import * as z from 'zod';
import { asSent } from './schema.ts';

const text = z.string().default('').catch('');
const address = asSent(z.string()).default('').catch('');

/** The payload of a hook, under every agent's field names. Other fields, such as a tool's output, are dropped. */
export const HookPayload = z.object({
  /** When our hook began to wait, in ms since 1970: what it spent on its way counts, too. */
  asked_at: z.number().optional().catch(undefined),
  hook_event_name: text,
  session_id: text,
  sessionId: text,
  'thread-id': text,
  cwd: address,
  transcript_path: address,
  transcriptPath: address,
  source: text,
  trigger: text,
  prompt: text,
  tool_name: text,
  toolName: text,
  tool_input: z.unknown().optional(),
  toolArgs: z.unknown().optional(),
  toolInput: z.unknown().optional(),
  message: text,
  notification_type: text,
  notificationType: text,
  agent_id: text,
});
