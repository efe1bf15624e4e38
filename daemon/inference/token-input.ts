import type { Tokenizer } from '@huggingface/tokenizers';

/** The package's own type does not resolve under NodeNext. */
interface Encoded {
  ids: number[];
  token_type_ids?: number[];
}

/** Token ids and their segments, the input of a model; both lists have the same length. */
export interface TokenInput {
  ids: number[];
  types: number[];
}

// No real language has tokens this long on average; text beyond it would be cut off anyway, after costly tokenising.
const CHARACTERS_PER_TOKEN = 32;

/** One text, cut to the model's limit. It keeps the closing token, which the model was trained with. */
export function singleInput(tokenizer: Tokenizer, text: string, maxTokens: number): TokenInput {
  const { ids }: Encoded = tokenizer.encode(text.slice(0, maxTokens * CHARACTERS_PER_TOKEN));
  const cut = cutBefore(ids, maxTokens, ids.length);
  return { ids: cut, types: cut.map(() => 0) };
}

/** Query and passage in one input, the passage cut to fit; only a query of more than half the limit is cut itself. */
export function pairInput(
  tokenizer: Tokenizer,
  query: string,
  passage: string,
  maxTokens: number,
): TokenInput {
  const limit = maxTokens * CHARACTERS_PER_TOKEN;
  const { ids, token_type_ids: types }: Required<Encoded> = tokenizer.encode(query.slice(0, limit), {
    text_pair: passage.slice(0, limit),
    return_token_type_ids: true,
  });
  const queryLength = types.filter((type) => type === 0).length;
  const half = Math.floor(maxTokens / 2);
  const shortIds = cutBefore(ids, half, queryLength);
  const shortTypes = cutBefore(types, half, queryLength);
  return {
    ids: cutBefore(shortIds, maxTokens, shortIds.length),
    types: cutBefore(shortTypes, maxTokens, shortTypes.length),
  };
}

/** Shortens the first `length` entries to `limit`, keeping the last of them, which closes the segment. */
function cutBefore(list: number[], limit: number, length: number): number[] {
  return length <= limit ? list : [...list.slice(0, limit - 1), ...list.slice(length - 1)];
}
