import { describe, expect, test } from 'vitest';
import { openInference, NO_WEIGHTS } from '../../inference/testing.ts';
import { needs } from '../../testing/needs.ts';
import { engineering } from '../modes/engineering.ts';
import type { Material, PlainWriter } from '../writer.ts';
import { heuristic, heuristicWriter } from './heuristic.ts';
import { type Likeness, likenessOf, unknownLikeness } from './likeness.ts';

async function byModel(): Promise<Likeness> {
  const inference = openInference();
  await inference.refresh();
  return likenessOf(inference);
}

describe('with the real embedder', () => {
  needs(NO_WEIGHTS);

  test('what says the same is more like a message than what is about something else', async () => {
    const [same = 0, other = 0] = await (
      await byModel()
    )(
      ['Regenerate the clients after a change of `payments.proto`', 'The tests take eleven minutes on CI'],
      'Do not edit payments.proto without regenerating the clients: staging broke because they were stale.',
    );
    expect(same).toBeGreaterThan(other + 0.3);
  });

  test('a clear sentence about something else is no title for a finding', async () => {
    const quote =
      'The upload of an empty chunk is refused: `parseRange` treats an end of 0 as if it were missing, and the range is then rejected.';
    const aside =
      '`make lint` only checks generated files when `CI` is set, so always run it before pushing.';
    const said = (text: string, trigger: boolean) => ({ role: 'agent' as const, text, at: 0, trigger });
    const finding: Material = {
      key: 'k',
      signal: 'signal.root-cause',
      project: 'acme/shop',
      at: 0,
      quote,
      type: 'bug-fix',
      speculative: false,
      why: ['names the cause'],
      cues: [],
      score: 0.5,
      turns: [said(quote, true), said(`Fixed. ${aside}`, false)],
    };
    const titleBy = async (writer: PlainWriter) => (await writer.write(finding, engineering, []))?.title;
    expect(`${await titleBy(heuristic)}.`).toBe(aside);
    expect(`${await titleBy(heuristicWriter(await byModel()))}.`).toBe(quote);
  });
});

test('without a model nothing is said of any text', async () => {
  expect(await unknownLikeness(['one', 'other'], 'a message')).toEqual([]);
});
