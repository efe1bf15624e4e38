import { expect, test } from 'vitest';
import type { PortCard } from '../ports/port.ts';
import type { RecallQuestion } from '../recall/recall.ts';
import { type Given, world } from './world.ts';

interface Proof {
  given: Given[];
  ask: RecallQuestion;
  /** Titles recalled with the port switched off and on, best first. */
  off: string[];
  on: string[];
  /** The folder or id of the cross-encoder to recall with. */
  crossEncoder?: () => string;
  /** The claim is about which titles are recalled, not about their order. */
  anyOrder?: boolean;
}

/** Runs the shipped pipeline twice, differing only in this port's switch. A port that does nothing fails. */
export function proof(
  port: Pick<PortCard, 'id' | 'seeds' | 'switch'>,
  claim: string,
  { given, ask, off, on, crossEncoder, anyOrder = false }: Proof,
): void {
  test(`${port.seeds.join(', ')} ${port.id}: ${claim}`, async () => {
    const { titles } = await world(given, crossEncoder ? { crossEncoder: crossEncoder() } : {});
    const recalled = (state: boolean) =>
      titles({ ...ask, knobs: { ...ask.knobs, [port.switch.name]: state } });
    const ordered = (list: string[]) => (anyOrder ? list.toSorted() : list);
    expect({ off: ordered(await recalled(false)), on: ordered(await recalled(true)) }).toEqual({
      off: ordered(off),
      on: ordered(on),
    });
    expect(ordered(on)).not.toEqual(ordered(off));
  });
}
