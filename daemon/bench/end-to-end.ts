// The end of the chain, as a person meets it: `npm run bench:endtoend [-- --left-out --misses --json]`. A daemon lives
// through labelled sessions, in clones with the sessions' own branches; then their questions are asked from `main`.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readLabelled } from '../capture/bench/labelled.ts';
import { pathsOf } from '../platform/paths.ts';
import { benchEnvironment } from './daemon-process.ts';
import { fitWithout, withReplacedJson } from './end-to-end/left-out.ts';
import type { NoticedMoment } from './end-to-end/knowledge.ts';
import { LiveDaemon, type StandIn, WRITERS } from './end-to-end/live.ts';
import { sayTheSame } from './end-to-end/meaning.ts';
import { type Project, prepareProjects } from './end-to-end/projects.ts';
import { type Lived, render, toJson } from './end-to-end/report.ts';
import { type AskedLabel, missOf, ownNotes, worthOf } from './end-to-end/score.ts';
import { type BenchModels, openModels } from './models.ts';
import { messageOf } from '#contract/errors.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    /** Only this repository. */
    repo: { type: 'string' },
    /** Each repository with judges that never saw it. */
    'left-out': { type: 'boolean', default: false },
    /** Merges a branch after its last session. */
    merge: { type: 'boolean', default: false },
    /** Who words the lessons beside the daemon: none, heard or labels. */
    writer: { type: 'string', default: 'none' },
    /** Knobs of the daemon, as NAME=VALUE. */
    set: { type: 'string', multiple: true, default: [] },
    json: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
  },
});

function writerOf(name: string): StandIn {
  const writer = WRITERS.find((known) => known === name);
  if (!writer) throw new Error(`--writer takes one of ${WRITERS.join(', ')}`);
  return writer;
}

const say = (line: string) => void process.stderr.write(`· ${line}\n`);

/** Lets a daemon live through these projects and asks it everything. */
async function measure(
  projects: Project[],
  folder: string,
  environment: NodeJS.ProcessEnv,
  models: BenchModels,
): Promise<Lived[]> {
  const paths = pathsOf(folder);
  const daemon = await LiveDaemon.start(paths, environment);
  const recorded: NoticedMoment[] = [];
  try {
    for (const project of projects) {
      say(`${project.repo}: living through ${project.sessions.length} sessions`);
      recorded.push(
        ...(await daemon.liveThrough(project, { merge: values.merge, writer: writerOf(values.writer) })),
      );
    }
    const lived: Lived[] = [];
    for (const project of projects) lived.push(await ask(daemon, project, recorded, models));
    return lived;
  } finally {
    await daemon.stop();
  }
}

async function ask(
  daemon: LiveDaemon,
  { repo, root, sessions }: Project,
  recorded: NoticedMoment[],
  models: BenchModels,
): Promise<Lived> {
  const moments = [
    ...daemon.database.moments(sessions),
    ...recorded.filter(({ session }) => session.repo === repo),
  ];
  const notes = daemon.database.notes();
  say(`${repo}: asking`);
  const asked: AskedLabel[] = [];
  for (const session of sessions.map(({ labelled }) => labelled)) {
    for (const label of session.labels) {
      const questions = [];
      for (const query of label.queries) questions.push(await daemon.ask(root, query));
      const found = [...new Set(questions.flatMap(({ learnings }) => learnings))];
      const own = ownNotes(label, session, moments, notes);
      const same = await sayTheSame(
        models,
        label,
        found.flatMap((id) => notes.get(id) ?? []),
      );
      asked.push({ label, session, own, same, questions });
    }
  }
  // Prompts come last: what they inject is recorded, and that may change what a search finds.
  for (const { questions } of asked)
    for (const question of questions) question.injected = await daemon.prompt(root, question.query);
  const made = new Set(moments.map(({ learning }) => learning));
  return {
    repo,
    sessions,
    asked,
    moments,
    notes: [...notes.values()].filter(({ id }) => made.has(id)),
    worth: (id) => worthOf(id, moments, notes),
    missOf: (label) => missOf(label, moments, notes),
  };
}

async function main(): Promise<void> {
  if (!existsSync(join(values.data, 'capture', 'labels.jsonl')))
    throw new Error(`there are no labelled sessions in ${values.data}; --data names another folder`);
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'reflect-endtoend-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const environment = {
    ...benchEnvironment(),
    REFLECT_BACKFILL_LEARNINGS: 'true', // these sessions are lived through, however old they are
    ...Object.fromEntries(values.set.map((knob) => knob.split('=', 2))),
  };
  const models = await openModels();
  try {
    say('reading the sessions');
    const labelled = readLabelled(values.data).filter(({ repo }) => !values.repo || repo === values.repo);
    const homeOf = (name: string) => join(folder, name.replaceAll('/', '+'));
    const prepare = (sessions: typeof labelled, home: string) => {
      mkdirSync(home, { recursive: true });
      return prepareProjects(sessions, { agents: home, repositories: join(folder, 'work') });
    };
    const lived: Lived[] = [];
    if (values['left-out']) {
      for (const repo of new Set(labelled.map((session) => session.repo))) {
        say(`${repo}: fitting the judges on the other repositories`);
        const weights = homeOf(`weights-${repo}`);
        fitWithout(repo, values.data, weights, environment);
        const projects = prepare(
          labelled.filter((session) => session.repo === repo),
          homeOf(repo),
        );
        lived.push(
          ...(await measure(projects, homeOf(repo), withReplacedJson(environment, weights), models)),
        );
      }
    } else
      lived.push(...(await measure(prepare(labelled, homeOf('home')), homeOf('home'), environment, models)));
    const seconds = (performance.now() - began) / 1_000;
    const run = {
      leftOut: values['left-out'],
      merged: values.merge,
      writer: writerOf(values.writer),
      seconds,
    };
    process.stdout.write(values.json ? toJson(lived, run) : render(lived, run, values.misses));
  } finally {
    await models.inference.close();
  }
}

await main().catch((error: unknown) => {
  process.stderr.write(`bench: ${messageOf(error)}\n`);
  process.exitCode = 1;
});
