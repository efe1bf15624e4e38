// A local server with the providers' endpoints. It answers everything with one word or a scripted move, and
// records every request: the text that a hook injected must be in one of them.
import { createServer } from 'node:http';

const WORD = 'Understood.';

/** The model's next move: a text or a tool call. */
export type Move = string | { tool: string; input: object; namespace?: string };
/** Chooses the move by the request. */
export type Script = (body: string) => Move;

const event = (type: string, data: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
const chunk = (data: object) => `data: ${JSON.stringify(data)}\n\n`;

/** The stream of Anthropic's messages endpoint. */
const anthropic = (move: Move) =>
  [
    event('message_start', {
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'scripted',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    }),
    event('content_block_start', {
      index: 0,
      content_block:
        typeof move === 'string'
          ? { type: 'text', text: '' }
          : { type: 'tool_use', id: `toolu_${Date.now()}`, name: move.tool, input: {} },
    }),
    event('content_block_delta', {
      index: 0,
      delta:
        typeof move === 'string'
          ? { type: 'text_delta', text: move }
          : { type: 'input_json_delta', partial_json: JSON.stringify(move.input) },
    }),
    event('content_block_stop', { index: 0 }),
    event('message_delta', {
      delta: { stop_reason: typeof move === 'string' ? 'end_turn' : 'tool_use', stop_sequence: null },
      usage: { output_tokens: 1 },
    }),
    event('message_stop', {}),
  ].join('');

/** The stream of OpenAI's responses endpoint. */
const responses = (move: Move) => {
  const item =
    typeof move === 'string'
      ? {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: move, annotations: [] }],
        }
      : {
          id: 'fc_1',
          type: 'function_call',
          call_id: `call_${Date.now()}`,
          name: move.tool,
          ...(move.namespace ? { namespace: move.namespace } : {}),
          arguments: JSON.stringify(move.input),
          status: 'completed',
        };
  const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'scripted', output: [item] };
  return [
    event('response.created', { response: { ...response, status: 'in_progress', output: [] } }),
    event('response.output_item.added', {
      output_index: 0,
      item: { ...item, status: 'in_progress', ...(typeof move === 'string' ? { content: [] } : {}) },
    }),
    ...(typeof move === 'string'
      ? [
          event('response.output_text.delta', {
            item_id: 'msg_1',
            output_index: 0,
            content_index: 0,
            delta: move,
          }),
        ]
      : []),
    event('response.output_item.done', { output_index: 0, item }),
    event('response.completed', {
      response: {
        ...response,
        status: 'completed',
        usage: {
          input_tokens: 1,
          output_tokens: 1,
          total_tokens: 2,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens_details: { reasoning_tokens: 0 },
        },
      },
    }),
  ].join('');
};

/** The stream of chat completions, as in every compatible server. */
const chat = (move: Move) => {
  const said =
    typeof move === 'string'
      ? { content: move }
      : {
          tool_calls: [
            {
              index: 0,
              id: `call_${Date.now()}`,
              type: 'function',
              function: { name: move.tool, arguments: JSON.stringify(move.input) },
            },
          ],
        };
  const part = (delta: object, finish_reason: string | null, more = {}) =>
    chunk({
      id: 'c1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'scripted',
      choices: [{ index: 0, delta, finish_reason }],
      ...more,
    });
  return [
    part({ role: 'assistant', ...said }, null),
    part({}, typeof move === 'string' ? 'stop' : 'tool_calls', {
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }),
    'data: [DONE]\n\n',
  ].join('');
};

/** The answer of Gemini's streamGenerateContent and of its variant without a stream. */
const gemini = (text: string) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
});
/** Gemini asks first how hard a task is, and asks again for two minutes if it gets no JSON. */
const EASY = JSON.stringify({ complexity_reasoning: 'one question', complexity_score: 1 });

function answerTo(url: string, move: () => Move): { type: string; body: string } {
  if (url.includes('/messages/count_tokens')) return { type: 'application/json', body: '{"input_tokens":1}' };
  if (url.includes('/messages')) return { type: 'text/event-stream', body: anthropic(move()) };
  if (url.includes('/responses')) return { type: 'text/event-stream', body: responses(move()) };
  if (url.includes('/chat/completions')) return { type: 'text/event-stream', body: chat(move()) };
  if (url.includes(':streamGenerateContent')) return { type: 'text/event-stream', body: chunk(gemini(WORD)) };
  if (url.includes(':generateContent'))
    return { type: 'application/json', body: JSON.stringify(gemini(EASY)) };
  return { type: 'application/json', body: '{}' };
}

export interface ScriptedModel {
  url: string;
  /** Requests, oldest first: path and body. */
  requests: string[];
  close(): void;
}

export async function startScriptedModel(script: Script = () => WORD): Promise<ScriptedModel> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      requests.push(`${request.url ?? ''} ${body}`);
      const { type, body: answer } = answerTo(request.url ?? '', () => script(body));
      response.writeHead(200, { 'content-type': type }).end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    requests,
    close: () => void server.close(),
  };
}
