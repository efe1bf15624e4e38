// "Whoever was there writes it", with the real agents: a person corrects an agent, which records nothing; its next
// prompt asks it to; it calls `learn`; and sessions in another worktree and on another branch start with the rule in
// its words.
import path from 'node:path';
import { run } from '../../app/terminal.mjs';
import { DRIVEN, type DrivenId, git, learned, type Stage, until, withAgent } from './driven.ts';
import { check, reflect } from './real-agent.ts';
import type { Move } from './scripted-model.ts';

const TASK = 'Install the date-fns package, please';
const CORRECTION =
  'No, never use npm in this repository. Always use pnpm here, because the lockfile is pnpm’s.';
const NEXT = 'Now format the dates on the invoice page';
const NUDGE = 'Earlier in this session: “';
const RULE = 'Add packages with pnpm add, never with npm install: only pnpm-lock.yaml is committed';

const LESSON = { rule: RULE, when: 'adding or updating a package', why: 'the lockfile is pnpm’s' };

export function learnWhenAsked(id: DrivenId): Promise<void> {
  // The model obeys the correction, and calls `learn` when it is asked to, once.
  const answer = (body: string): Move => {
    if (body.includes(NUDGE) && !body.includes(RULE)) return DRIVEN[id].callsTool('learn', LESSON);
    return body.includes(CORRECTION.slice(0, 30))
      ? 'You are right: pnpm it is, never npm.'
      : 'I ran npm install date-fns.';
  };
  return withAgent(id, 'Whoever was there writes it', () => answer, story);
}

async function story({ home, driven, session }: Stage): Promise<void> {
  const worktree = path.join(home.folder, 'shop-feature');
  await git(home.project, 'worktree', 'add', '--quiet', '-b', 'feat/dates', worktree);

  const started = await session(home.project, driven.begin(TASK));
  check(
    'A: the session starts with when to record something',
    started.requests[0]?.includes('When a person corrects you') === true,
    started.output,
  );
  await session(home.project, driven.goOn(CORRECTION));
  const noticed = await until(async () => {
    const { output } = await reflect(home, 'call', 'capture.moments', '{}');
    return output.includes('never use npm') ? output : null;
  });
  check('A: corrected, and capture noticed it', noticed !== null);

  const next = await session(home.project, driven.goOn(NEXT));
  const asked = next.requests.filter((request) => request.includes(NUDGE));
  check(
    'A: the next prompt asks the agent to record it',
    asked.length > 0 && asked.every((request) => request.split(NUDGE).length === 2),
    next.requests[0]?.slice(-3_000) ?? next.output,
  );
  const note = await learned(home);
  check(
    'A: it calls learn, and the one learning about it has its words',
    note?.title === RULE,
    `${note?.title}\n${next.output}`,
  );
  const again = await session(home.project, driven.goOn('And the totals'));
  check(
    'A: it is not asked twice',
    again.requests.every((request) => request.split(NUDGE).length <= 2),
    again.requests[0]?.slice(-3_000),
  );

  const elsewhere = await session(worktree, driven.begin('Add another package'));
  check(
    'B: in another worktree, on another branch, the first request has the rule, once',
    elsewhere.requests[0]?.split(RULE).length === 2,
    elsewhere.requests[0]?.slice(0, 3_000) ?? elsewhere.output,
  );
  await run('git', ['-C', home.project, 'switch', '--quiet', '-c', 'fix/totals']);
  const branch = await session(home.project, driven.begin('Mend the totals'));
  check(
    'C: and so it has in a new session on a third branch',
    branch.requests[0]?.split(RULE).length === 2,
    branch.requests[0]?.slice(0, 3_000) ?? branch.output,
  );
}
