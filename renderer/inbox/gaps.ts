import type { Call } from '#contract/methods.ts';
import { doReversibly, type Reversal, reverseChange } from '../frame/undo.svelte.ts';

type Gap = { query: string; project: string };
const TITLE_LENGTH = 110;

/** Closes a gap until somebody asks the same again, and returns the way back. */
export const closeGap = (call: Call, { query, project }: Gap): Promise<Reversal> =>
  doReversibly(
    () => call('gaps.close', { query, project }),
    () => call('gaps.close', { query, project, closed: false }),
  );

/** Saves the answer to a gap as a learning, closes it, and returns the way back. */
export async function answerGap(call: Call, gap: Gap, rule: string): Promise<Reversal> {
  const { query, project } = gap;
  const title = (rule.split('\n')[0] ?? rule).slice(0, TITLE_LENGTH);
  const { changeId } = await call('learnings.create', {
    note: { title, rule, problem: query, project, scope: project === '' ? 'global' : 'project' },
    reason: `answers “${query.slice(0, 200)}”`,
  });
  return reverseBoth(reverseChange(call, changeId), await closeGap(call, gap));
}

const reverseBoth =
  (one: Reversal, other: Reversal): Reversal =>
  async () => {
    const [first, second] = [await one(), await other()] as Reversal[]; // both can be reversed again
    return first && second && reverseBoth(first, second);
  };
