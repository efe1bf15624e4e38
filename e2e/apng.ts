import { crc32 } from 'node:zlib';

export interface Frame {
  /** A PNG. All frames have the same size and kind of colour. */
  png: Buffer;
  /** How long it is shown. */
  ms: number;
}

const SIGNATURE_LENGTH = 8;
type Chunk = { type: string; data: Buffer };

/** Joins pictures to one animated PNG that is repeated for ever; programs that know no animation show the first. */
export function animatedPng(frames: readonly Frame[]): Buffer {
  const [first] = frames;
  if (!first) throw new Error('An animation has at least one frame.');
  const header = chunkOf(first.png, 'IHDR');
  let sequence = 0;
  const chunks = frames.flatMap(({ png, ms }, index): Chunk[] => {
    if (!chunkOf(png, 'IHDR').equals(header)) throw new Error('All frames have the same size and colours.');
    const control = { type: 'fcTL', data: frameControl(sequence++, header, ms) };
    const pictures = chunksOf(png).filter(({ type }) => type === 'IDAT');
    if (index === 0) return [control, ...pictures];
    return [
      control,
      ...pictures.map(({ data }) => ({ type: 'fdAT', data: Buffer.concat([uint32(sequence++), data]) })),
    ];
  });
  const animation = { type: 'acTL', data: Buffer.concat([uint32(frames.length), uint32(0)]) };
  return Buffer.concat([
    first.png.subarray(0, SIGNATURE_LENGTH),
    ...[{ type: 'IHDR', data: header }, animation, ...chunks, { type: 'IEND', data: Buffer.alloc(0) }].map(
      encoded,
    ),
  ]);
}

function chunksOf(png: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE_LENGTH; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return chunks;
}

function chunkOf(png: Buffer, wanted: string): Buffer {
  const chunk = chunksOf(png).find(({ type }) => type === wanted);
  if (!chunk) throw new Error(`A PNG without ${wanted}.`);
  return chunk.data;
}

/** The whole picture, shown for this long, in place of the one before. */
function frameControl(sequence: number, header: Buffer, ms: number): Buffer {
  const [width, height] = [header.subarray(0, 4), header.subarray(4, 8)];
  const delay = Buffer.alloc(4);
  delay.writeUInt16BE(ms, 0);
  delay.writeUInt16BE(1_000, 2);
  return Buffer.concat([uint32(sequence), width, height, uint32(0), uint32(0), delay, Buffer.alloc(2)]);
}

function encoded({ type, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
