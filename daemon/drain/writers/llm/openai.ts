import * as z from 'zod';
import { HttpFailure, postJson } from './http.ts';
import type { Answer, Provider } from './provider.ts';
import { readingsOfHeaders } from './quota.ts';

const count = z.int().nonnegative().nullish();
const Completion = z.object({
  model: z.string().default(''),
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).min(1),
  usage: z
    .object({ prompt_tokens: count, completion_tokens: count, cost: z.number().nonnegative().nullish() })
    .nullish(),
});

export interface EndpointOptions {
  endpoint: string;
  model: string;
  key: string;
  now: () => number;
}

/** Any server that speaks OpenAI's chat completions: Ollama, llama.cpp, LM Studio, vLLM, OpenAI itself. */
export function openai({ endpoint, model, key, now }: EndpointOptions): Provider {
  const send = (body: object, signal: AbortSignal) =>
    postJson({
      url: `${endpoint}/chat/completions`,
      headers: key ? { authorization: `Bearer ${key}` } : {},
      body,
      secrets: [key],
      signal,
      now,
    });
  return {
    auth: 'api-key',
    model,
    async ask(prompt, signal): Promise<Answer> {
      const body = {
        ...(model ? { model } : {}),
        messages: [{ role: 'user', content: prompt }],
        stream: false,
      };
      const { json, headers } = await send(
        { ...body, response_format: { type: 'json_object' } },
        signal,
      ).catch((error: unknown) => {
        // A server that does not know how to hold a model to JSON is asked without; the prompt asks for it anyway.
        if (error instanceof HttpFailure && [400, 422].includes(error.status)) return send(body, signal);
        throw error;
      });
      const {
        choices: [first],
        usage,
        model: answered,
      } = parseAnswer(Completion, json);
      return {
        text: first?.message.content ?? '',
        model: answered || model,
        tokensIn: usage?.prompt_tokens ?? null,
        tokensOut: usage?.completion_tokens ?? null,
        costUsd: usage?.cost ?? null,
        quota: readingsOfHeaders(headers, now()),
      };
    },
  };
}

export function parseAnswer<T extends z.ZodType>(schema: T, json: unknown): z.infer<T> {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues
    .slice(0, 2)
    .map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`the server answered in a form we do not know: ${problems.join('; ')}`);
}
