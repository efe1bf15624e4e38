import type { Tokenizer } from '@huggingface/tokenizers';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { pairInput, singleInput, type TokenInput } from './token-input.ts';
import { projectTokens } from './token-vectors.ts';
import type { Computed } from './worker-messages.ts';

/** A loaded model with its tokenizer. */
export interface ModelSession {
  session: InferenceSession;
  tokenizer: Tokenizer;
  newTensor: (values: BigInt64Array, dims: number[]) => Tensor;
}

/**
 * Embeds one text at a time: dynamic int8 scales activations over the whole batch, so in a batch a text gets another
 * vector (cosine .993 to its own), and batching gains almost nothing on a CPU.
 */
export async function embed(
  model: ModelSession,
  text: string,
  maxTokens: number,
  pooling: 'cls' | 'mean',
  withTokens: boolean,
): Promise<Computed> {
  const input = singleInput(model.tokenizer, text, maxTokens);
  const output = await run(model, [input]);
  const dims = output.dims[2];
  if (dims === undefined || !(output.data instanceof Float32Array))
    throw new Error('the model does not give one vector per token');
  return {
    values: normalised(pooling === 'cls' ? output.data.slice(0, dims) : meanOf(output.data, dims)),
    tokens: withTokens ? projectTokens(input.ids, output.data, (id) => isWord(model.tokenizer, id)) : null,
  };
}

const isWord = (tokenizer: Tokenizer, id: number) => /[\p{L}\p{N}]/u.test(tokenizer.id_to_token(id) ?? '');

/** The logit of each passage for the query, in one padded batch: they are only compared with each other. */
export async function rerank(
  model: ModelSession,
  query: string,
  passages: string[],
  maxTokens: number,
): Promise<Float32Array> {
  if (passages.length === 0) return new Float32Array();
  const output = await run(
    model,
    passages.map((passage) => pairInput(model.tokenizer, query, passage, maxTokens)),
  );
  if (output.dims[1] !== 1 || !(output.data instanceof Float32Array))
    throw new Error('the model does not give one score per pair');
  return output.data.slice();
}

async function run({ session, newTensor }: ModelSession, inputs: TokenInput[]): Promise<Tensor> {
  const width = Math.max(...inputs.map(({ ids }) => ids.length));
  const dims = [inputs.length, width];
  const fill = (valueAt: (input: TokenInput, position: number) => number) => {
    const values = new BigInt64Array(inputs.length * width);
    inputs.forEach((input, row) => {
      for (let position = 0; position < input.ids.length; position += 1)
        values[row * width + position] = BigInt(valueAt(input, position));
    });
    return newTensor(values, dims);
  };
  const all: Record<string, Tensor> = {
    input_ids: fill(({ ids }, position) => ids[position] ?? 0),
    // Positions after the end of an input stay 0: padding, which the mask hides whatever its id is.
    attention_mask: fill(() => 1),
    token_type_ids: fill(({ types }, position) => types[position] ?? 0),
  };
  // Some exports have no token types and refuse an input they do not declare.
  const feeds = Object.fromEntries(
    session.inputNames.map((name) => [name, known(all[name], `the model needs an unknown input, ${name}`)]),
  );
  const outputs = await session.run(feeds);
  return known(outputs[session.outputNames[0] ?? ''], 'the model has no output');
}

/** The mean over the tokens of one unpadded text, so every token counts. */
function meanOf(tokens: Float32Array, dims: number): Float32Array {
  const sum = new Float32Array(dims);
  for (let i = 0; i < tokens.length; i += 1) sum[i % dims] = (sum[i % dims] ?? 0) + (tokens[i] ?? 0);
  const count = tokens.length / dims;
  return sum.map((value) => value / count);
}

function normalised(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

function known<T>(value: T | undefined, otherwise: string): T {
  if (value === undefined) throw new Error(otherwise);
  return value;
}
