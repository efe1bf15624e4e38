import { RECALL_PORTS } from '../ports.ts';
import type { Stage } from '../port.ts';

export interface System {
  name: string;
  knobs: Record<string, unknown>;
}

/** All of our own ports switched off, as a baseline to compare with. */
const BARE: Record<string, unknown> = Object.fromEntries([
  ...(
    ['arm', 'fuse', 'rerank', 'gate', 'boost', 'diversify', 'cache', 'query', 'answer'] satisfies Stage[]
  ).flatMap((stage) => RECALL_PORTS[stage].map((port) => [port.switch.name, false])),
  ['RECALL_RRF', true],
]);

const NO_CACHE = { RECALL_CACHE: false };
export const WITHOUT_CROSS_ENCODER: System = {
  name: 'ours without a cross-encoder',
  knobs: { ...NO_CACHE, RECALL_CROSS_ENCODER: false },
};
export const IN_FULL: System = { name: 'ours in full', knobs: NO_CACHE };

export const SIMPLE: readonly System[] = [
  { name: 'BM25 alone', knobs: { ...BARE, RECALL_BM25_ARM: true } },
  { name: 'vector alone', knobs: { ...BARE, RECALL_VECTOR_ARM: true } },
  { name: 'plain RRF of both', knobs: { ...BARE, RECALL_BM25_ARM: true, RECALL_VECTOR_ARM: true } },
];

/** The shipped pipeline with one port's switch flipped: the difference is the worth of that port. */
export function ablations(): Array<System & { port: string; on: boolean }> {
  const ports = Object.values(RECALL_PORTS)
    .flat()
    .filter(
      ({ id }) => !id.startsWith('scope.') && !id.startsWith('cache.') && id !== 'rerank.cross-encoder',
    );
  return ports.map((port) => ({
    name: `${port.id} ${port.switch.default ? 'off' : 'on'}`,
    port: port.id,
    on: port.switch.default,
    knobs: { ...WITHOUT_CROSS_ENCODER.knobs, [port.switch.name]: !port.switch.default },
  }));
}
