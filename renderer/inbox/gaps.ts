import type { Call } from '#contract/methods.ts';

type Gap = { query: string; project: string };
const TITLE_LENGTH = 110;

/** Closes a gap until somebody asks the same again, and returns the way back. */
export async function closeGap(call: Call, { query, project }: Gap): Promise<() => Promise<unknown>> {
  await call('gaps.close', { query, project });
  return () => call('gaps.close', { query, project, closed: false });
}

/** Saves the answer to a gap as a learning, closes it, and returns the way back. */
export async function answerGap(call: Call, gap: Gap, rule: string): Promise<() => Promise<unknown>> {
  const { query, project } = gap;
  const title = (rule.split('\n')[0] ?? rule).slice(0, TITLE_LENGTH);
  const { changeId } = await call('learnings.create', {
    note: { title, rule, problem: query, project, scope: project === '' ? 'global' : 'project' },
    reason: `answers “${query.slice(0, 200)}”`,
  });
  const reopen = await closeGap(call, gap);
  return async () => {
    await call('changes.undo', { changeId });
    await reopen();
  };
}
