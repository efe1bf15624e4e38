import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from './temp-home.ts';

/**
 * A cross-encoder small enough to be made by a test, so that reranking is proven where no weights were downloaded. It
 * is a real ONNX model with a real tokenizer; it scores a passage by the worth of the words in it. Returns its folder.
 */
export function tinyCrossEncoder(worth: Record<string, number>): string {
  const folder = join(tempFolder(), 'tiny-cross-encoder');
  mkdirSync(folder);
  const words = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', ...Object.keys(worth)];
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer(words)));
  writeFileSync(join(folder, 'model.onnx'), model(words.map((word) => worth[word] ?? 0)));
  return folder;
}

const tokenizer = (words: string[]) => ({
  version: '1.0',
  added_tokens: words.slice(0, 4).map((content, id) => ({ id, content, special: true })),
  normalizer: { type: 'Lowercase' },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: { type: 'BertProcessing', sep: ['[SEP]', 3], cls: ['[CLS]', 2] },
  decoder: null,
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(words.map((word, id) => [word, id])),
  },
});

// The numbers are those of the fields and enumerations in onnx.proto.
const FLOAT = 1;
const INT64 = 7;

/** logits = the sum over a row of worth[input_ids] where token_type_ids is 1, that is in the passage. */
function model(worth: number[]): Buffer {
  const matrix = (name: string, type: number, width: string) => {
    const dims = ['pairs', width].flatMap((dim) => message(1, text(2, dim)));
    return Buffer.concat([text(1, name), message(2, message(1, number(1, type), message(2, ...dims)))]);
  };
  const graph = [
    node('Gather', ['worth', 'input_ids'], 'worths'),
    node('Cast', ['token_type_ids'], 'in_passage', [text(1, 'to'), number(3, FLOAT), number(20, 2)]),
    node('Mul', ['worths', 'in_passage'], 'counted'),
    node('ReduceSum', ['counted'], 'logits', [text(1, 'axes'), number(8, 1), number(20, 7)]),
    text(2, 'tiny'),
    message(
      5,
      number(1, worth.length),
      number(2, FLOAT),
      text(8, 'worth'),
      message(9, Buffer.from(Float32Array.from(worth).buffer)),
    ),
    message(11, matrix('input_ids', INT64, 'tokens')),
    message(11, matrix('token_type_ids', INT64, 'tokens')),
    message(12, matrix('logits', FLOAT, 'one')),
  ];
  const opset = message(8, text(1, ''), number(2, 12));
  return Buffer.concat([number(1, 7), opset, message(7, ...graph)]);
}

function node(operation: string, inputs: string[], output: string, attribute?: Buffer[]): Buffer {
  return message(
    1,
    ...inputs.map((input) => text(1, input)),
    text(2, output),
    text(4, operation),
    ...(attribute ? [message(5, ...attribute)] : []),
  );
}

// The three kinds of protobuf field that a model needs.
function varint(value: number): Buffer {
  const bytes = [];
  for (; value > 0x7f; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return Buffer.from([...bytes, value]);
}
const number = (field: number, value: number) => Buffer.concat([varint(field << 3), varint(value)]);
const text = (field: number, value: string) => message(field, Buffer.from(value));
function message(field: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([varint((field << 3) | 2), varint(body.length), body]);
}
