import { DaemonError } from '#contract/errors.ts';
import type { KnobValues } from '../../../ports/knob.ts';
import { anthropic } from './anthropic.ts';
import { command } from './command.ts';
import type { WRITER_KNOBS } from './knobs.ts';
import { openai } from './openai.ts';
import type { Provider } from './provider.ts';

const ENDPOINTS = { openai: 'http://127.0.0.1:11434/v1', anthropic: 'https://api.anthropic.com' };

interface Surroundings {
  environment: NodeJS.ProcessEnv;
  scratch: string;
  now: () => number;
}

/** The provider the settings name; null when that is no model. Reports wrong settings before anything is sent. */
export function connect(
  knobs: KnobValues<typeof WRITER_KNOBS>,
  { environment, scratch, now }: Surroundings,
): Provider | null {
  const { writer, model } = knobs;
  switch (writer) {
    case 'heuristic':
      return null;
    case 'command':
      return command({ command: knobs.command, model, environment, scratch, now });
    case 'openai': {
      const endpoint = endpointOf(knobs.endpoint || ENDPOINTS.openai);
      // OpenAI's key is sent only to OpenAI, unless the user says otherwise.
      const variable =
        knobs.keyVariable || (new URL(endpoint).host === 'api.openai.com' ? 'OPENAI_API_KEY' : '');
      return openai({ endpoint, model, key: variable && keyIn(environment, variable), now });
    }
    case 'anthropic': {
      const endpoint = endpointOf(knobs.endpoint || ENDPOINTS.anthropic).replace(/\/v1$/, '');
      return anthropic({
        endpoint,
        model,
        key: keyIn(environment, knobs.keyVariable || 'ANTHROPIC_API_KEY'),
        now,
      });
    }
  }
}

function endpointOf(address: string): string {
  const url = URL.parse(address);
  const refuse = (why: string) => new DaemonError('bad-knob', `REFLECT_WRITER_ENDPOINT ${why}`);
  if (!url || !/^https?:$/.test(url.protocol))
    throw refuse('takes an address that begins with http:// or https://');
  if (url.username || url.password)
    throw refuse('must not hold a password; name the variable that does in REFLECT_WRITER_KEY_VARIABLE');
  return address.replace(/\/+$/, '');
}

function keyIn(environment: NodeJS.ProcessEnv, variable: string): string {
  const key = environment[variable];
  if (!key)
    throw new DaemonError(
      'bad-knob',
      `the environment variable ${variable} should hold the key of the model server and is not set`,
    );
  return key;
}
