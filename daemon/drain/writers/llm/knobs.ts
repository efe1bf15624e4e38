import { choice, number, text } from '../../../ports/knob.ts';

const WRITERS = ['heuristic', 'command', 'openai', 'anthropic'] as const;

/**
 * The choice of writer. Only the user's own configuration counts: a cloned repository must not start commands or send
 * dialogue anywhere.
 */
export const WRITER_KNOBS = {
  writer: choice(
    'REFLECT_WRITER',
    WRITERS,
    'heuristic',
    'Who writes the notes: heuristic uses no model; command runs an agent such as claude -p; openai calls any compatible endpoint; anthropic calls its API',
  ),
  command: text(
    'REFLECT_WRITER_COMMAND',
    'claude',
    'What the command writer runs: claude, codex, gemini, or a JSON list such as ["my-agent","--flag"]; the prompt comes on standard input',
  ),
  endpoint: text(
    'REFLECT_WRITER_ENDPOINT',
    '',
    'Address of the model server; empty means Ollama on this machine for openai, and https://api.anthropic.com for anthropic',
  ),
  model: text('REFLECT_WRITER_MODEL', '', 'Which model writes; empty leaves it to the writer'),
  keyVariable: text(
    'REFLECT_WRITER_KEY_VARIABLE',
    '',
    'Name of the environment variable that holds the key; empty means ANTHROPIC_API_KEY for anthropic, and OPENAI_API_KEY where the endpoint is OpenAI’s own',
  ),
  timeoutSeconds: number('REFLECT_WRITER_TIMEOUT_SECONDS', {
    default: 300,
    min: 0.1,
    max: 3_600,
    doc: 'Maximum seconds a model may take for one note',
  }),
  gatherSeconds: number('REFLECT_WRITER_GATHER_SECONDS', {
    default: 300,
    min: 0,
    max: 86_400,
    doc: 'Seconds a moment waits, so that one call covers all new moments of a session',
  }),
  deferHours: number('REFLECT_WRITER_DEFER_HOURS', {
    default: 24,
    min: 0,
    max: 720,
    doc: 'Hours a moment waits for a model whose quota or budget is used up before it is written without one',
  }),
};
