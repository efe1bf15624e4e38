// "Correct once, never again", with the real agents: a person corrects a mistake in one session; the next session of
// the same repository, in another worktree, knows it before its first word; a session elsewhere does not; once it is
// retracted, no session does.
import path from 'node:path';
import {
  DRIVEN,
  type DrivenId,
  git,
  learned,
  makeRepository,
  type Stage,
  until,
  withAgent,
} from './driven.ts';
import { check, reflect } from './real-agent.ts';

const TASK = 'Install the date-fns package, please';
const CORRECTION =
  'No, never use npm in this repository. Always use pnpm here, because the lockfile is pnpm’s.';
const RETRACTION = 'Forget what I said about npm and pnpm in this repository.';
/** Only the first session gets this prompt, so the model makes its mistake only there. */
const BUILD_ONLY = 'Nothing else.';

const answerTo = (body: string) =>
  body.includes(CORRECTION.slice(0, 30)) ? 'You are right: pnpm it is, never npm.' : 'Understood.';

export function correctOnce(id: DrivenId): Promise<void> {
  const { hasRun } = DRIVEN[id];
  return withAgent(
    id,
    'Correct once, never again',
    // The model makes its mistake once, in the first session, and answers everything else with one word.
    (agent) => (body) =>
      body.includes(TASK) && body.includes(BUILD_ONLY) && !hasRun(body)
        ? (agent.command?.('npm install date-fns', body) ?? '')
        : answerTo(body),
    story,
  );
}

async function story({ home, driven, session }: Stage): Promise<void> {
  const worktree = path.join(home.folder, 'shop-feature');
  await git(home.project, 'worktree', 'add', '--quiet', '-b', 'feat/dates', worktree);
  const elsewhere = path.join(home.folder, 'garden');
  await makeRepository(elsewhere);

  const started = await session(home.project, driven.begin(`${TASK}. ${BUILD_ONLY}`));
  check(
    'A: the agent makes the mistake, and its tool fails',
    started.requests.some((request) => driven.hasRun(request)),
    started.output,
  );
  await session(home.project, driven.goOn(CORRECTION));
  const start = performance.now();
  const note = await until(() => learned(home));
  check(
    `A: corrected, it is a note ${((performance.now() - start) / 1_000).toFixed(1)} s after the session: ${note?.title ?? ''}`,
    note !== null,
    (await reflect(home, 'capture')).output,
  );
  const lesson = note?.title ?? CORRECTION;

  const next = await session(worktree, driven.begin(TASK));
  const told = next.requests[0] ?? '';
  check(
    'B: in another worktree the first request has the lesson, once',
    told.split(lesson).length === 2,
    `${told.split(lesson).length - 1} times in ${told.slice(0, 3_000)}`,
  );
  const unrelated = await session(elsewhere, driven.begin(TASK));
  check(
    'C: in another repository no request has it',
    unrelated.requests.length > 0 && unrelated.requests.every((request) => !request.includes(lesson)),
    unrelated.output,
  );

  await session(worktree, driven.begin(RETRACTION));
  const gone = await until(async () => ((await learned(home)) === null ? true : null));
  check(
    'D: retracted in a later session, it is archived',
    gone === true,
    (await reflect(home, 'history', note?.id ?? '')).output,
  );
  const after = await session(home.project, driven.begin(TASK));
  check(
    'E: and the session after that does not get it',
    after.requests.length > 0 && after.requests.every((request) => !request.includes(lesson)),
    after.requests[0]?.slice(0, 3_000),
  );
}
