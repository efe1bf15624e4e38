import { join } from 'node:path';
import type { TranscriptAdapter } from './adapter.ts';
import { type ChatForm, ChatParser } from './chat.ts';

const FORM: ChatForm = {
  headers: ['session'],
  compactions: ['compaction', 'compact'],
  silent: [
    'model_change',
    'thinking_level_change',
    'custom',
    'custom_message',
    'branch_summary',
    'label',
    'session_info',
    'mode_change',
  ],
};

/** pi and the agents built on it write the same files in folders of their own. */
function piLike(agent: string, roots: TranscriptAdapter['roots']): TranscriptAdapter {
  return {
    agent,
    roots,
    matches: (path) => path.endsWith('.jsonl'),
    wrote: (record) => record.type === 'session' && 'version' in record && 'cwd' in record,
    open: (path) => new ChatParser(path, FORM),
  };
}

export const pi = piLike('pi', (home, environment) => [
  join(environment.PI_CODING_AGENT_DIR || join(home, '.pi', 'agent'), 'sessions'),
]);
export const ohMyPi = piLike('omp', (home) => [join(home, '.omp', 'agent', 'sessions')]);
export const openClaw = piLike('openclaw', (home) => [join(home, '.openclaw', 'agents')]);
