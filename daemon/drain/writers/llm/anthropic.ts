import * as z from 'zod';
import { postJson } from './http.ts';
import { type EndpointOptions, parseAnswer } from './openai.ts';
import type { Answer, Provider } from './provider.ts';
import { readingsOfHeaders } from './quota.ts';

const LONGEST_ANSWER = 4_096; // tokens
const DEFAULT_MODEL = 'claude-sonnet-4-5';

const count = z.int().nonnegative().nullish();
const Message = z.object({
  model: z.string().default(''),
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
  usage: z
    .object({
      input_tokens: count,
      output_tokens: count,
      cache_creation_input_tokens: count,
      cache_read_input_tokens: count,
    })
    .nullish(),
});

/** Anthropic's messages, with a key that is paid by use. */
export function anthropic({ endpoint, model, key, now }: EndpointOptions): Provider {
  const chosen = model || DEFAULT_MODEL;
  return {
    auth: 'api-key',
    model: chosen,
    async ask(prompt, signal): Promise<Answer> {
      const body = {
        model: chosen,
        max_tokens: LONGEST_ANSWER,
        messages: [{ role: 'user', content: prompt }],
        stream: false,
      };
      const { json, headers } = await postJson({
        url: `${endpoint}/v1/messages`,
        headers: { 'anthropic-version': '2023-06-01', 'x-api-key': key },
        body,
        secrets: [key],
        signal,
        now,
      });
      const { content, usage, model: answered } = parseAnswer(Message, json);
      return {
        text: content.map(({ text = '' }) => text).join(''),
        model: answered || chosen,
        tokensIn: usage
          ? (usage.input_tokens ?? 0) +
            (usage.cache_creation_input_tokens ?? 0) +
            (usage.cache_read_input_tokens ?? 0)
          : null,
        tokensOut: usage?.output_tokens ?? null,
        costUsd: null,
        quota: readingsOfHeaders(headers, now()),
      };
    },
  };
}
