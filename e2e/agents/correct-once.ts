// "Correct once, never again", with the real agents: a person corrects a mistake in one session; the next session of the same
// repository, in another worktree, knows it before its first word; a session elsewhere does not; once it is retracted, no session does.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run, say } from '../../app/terminal.mjs';
import { cacheFolder } from '../cache.ts';
import { REAL_AGENTS } from './agents.ts';
import { check, fetched, type Home, newHome, put, reflect, removeHome, tally } from './real-agent.ts';
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts';

const TASK = 'Install the date-fns package, please';
const CORRECTION =
  'No, never use npm in this repository. Always use pnpm here, because the lockfile is pnpm’s.';
const RETRACTION = 'Forget what I said about npm and pnpm in this repository.';
const PATIENCE_MS = 60_000;
const LEARNS_WITHIN_MS = 15_000;

/** How each agent is driven: its permissions, how a session continues, and how to see that its tool has run. */
const DRIVEN = {
  'claude-code': {
    begin: (prompt: string) => ['-p', prompt, '--allowedTools', 'Bash'],
    goOn: (prompt: string) => ['-c', '-p', prompt, '--allowedTools', 'Bash'],
    hasRun: (body: string) => body.includes('"tool_result"'),
  },
  codex: {
    begin: (prompt: string) => ['exec', ...CODEX, prompt],
    goOn: (prompt: string) => ['exec', ...CODEX, 'resume', '--last', prompt],
    hasRun: (body: string) => body.includes('"function_call_output"'),
  },
} as const;
const CODEX = [
  '--dangerously-bypass-hook-trust',
  '--dangerously-bypass-approvals-and-sandbox',
  '--skip-git-repo-check',
];

export async function correctOnce(id: keyof typeof DRIVEN): Promise<void> {
  say(`Correct once, never again: ${id}`);
  const agent = REAL_AGENTS.find((known) => known.id === id);
  const found = agent && (await fetched(agent.package));
  if (!agent || !found || 'problem' in found) {
    tally.skipped++;
    say(`  – skipped: ${found && 'problem' in found ? found.problem : 'no such agent'}`);
    return;
  }
  const driven = DRIVEN[id];
  // The model makes its mistake once, in the first session, and answers everything else with one word.
  const model = await startScriptedModel((body) =>
    body.includes(TASK) && body.includes(BUILD_ONLY) && !driven.hasRun(body)
      ? (agent.command?.('npm install date-fns', body) ?? '')
      : answerTo(body),
  );
  const home = await newHome({ REFLECT_MODELS_DIR: cacheFolder('models') });
  try {
    await makeRepository(home.project);
    const worktree = path.join(home.folder, 'shop-feature');
    await git(home.project, 'worktree', 'add', '--quiet', '-b', 'feat/dates', worktree);
    const elsewhere = path.join(home.folder, 'garden');
    await makeRepository(elsewhere);
    for (const [name, text] of Object.entries(agent.files(model.url)))
      put(path.join(home.folder, name), text);
    check('reflect install', (await reflect(home, 'install', id)).ok);
    const session = sessionsOf(
      path.join(found.bin, agent.program),
      { ...home.environment, ...agent.environment(model.url) },
      model,
    );

    const begun = await session(home.project, driven.begin(`${TASK}. ${BUILD_ONLY}`));
    check(
      'A: the agent makes the mistake, and its tool fails',
      begun.requests.some((request) => driven.hasRun(request)),
      begun.output,
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
  } finally {
    model.close();
    await removeHome(home);
  }
}

/** Only the first session gets this prompt, so the model makes its mistake only there. */
const BUILD_ONLY = 'Nothing else.';

const answerTo = (body: string) =>
  body.includes(CORRECTION.slice(0, 30)) ? 'You are right: pnpm it is, never npm.' : 'Understood.';

interface Session {
  output: string;
  /** Requests that reached the model meanwhile, oldest first. */
  requests: string[];
}

function sessionsOf(program: string, environment: Record<string, string>, model: ScriptedModel) {
  return async (cwd: string, args: string[]): Promise<Session> => {
    const before = model.requests.length;
    const { output } = await run(program, args, { cwd, env: environment, timeout: PATIENCE_MS });
    return {
      output,
      requests: model.requests
        .slice(before)
        .filter((request) => /messages|responses/.test(request.split(' ')[0] ?? '')),
    };
  };
}

interface Note {
  id: string;
  title: string;
}

/** The active learning about it, if there is one. */
async function learned(home: Home): Promise<Note | null> {
  const { output } = await reflect(home, 'search', 'npm pnpm', '--json');
  const { hits = [] } = JSON.parse(output) as { hits?: Array<{ learning: Note }> };
  return hits.map(({ learning }) => learning).find(({ title }) => /pnpm/i.test(title)) ?? null;
}

async function until<T>(look: () => Promise<T | null>): Promise<T | null> {
  const deadline = performance.now() + LEARNS_WITHIN_MS;
  for (let found = await look(); ; found = await look()) {
    if (found !== null || performance.now() > deadline) return found;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

const git = (cwd: string, ...args: string[]) =>
  run('git', ['-C', cwd, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args]);

/** A repository in which npm cannot install, as if it required pnpm. */
async function makeRepository(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await git(folder, 'init', '--quiet');
  writeFileSync(
    path.join(folder, 'package.json'),
    '{ "name": "shop", "scripts": { "preinstall": "exit 1" } }\n',
  );
  writeFileSync(path.join(folder, '.npmrc'), 'offline=true\nfetch-retries=0\n');
  await git(folder, 'add', '.');
  await git(folder, 'commit', '--quiet', '-m', 'Begin');
}
