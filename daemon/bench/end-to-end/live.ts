import { DaemonError } from '#contract/errors.ts';
import { createClient, type Call, type Input, METHODS } from '#contract/methods.ts';
import { connectTo } from '../../client/connect.ts';
import type { Paths } from '../../platform/paths.ts';
import { type RunningDaemon, sleep, startFromSource } from '../daemon-process.ts';
import { DaemonDatabase, type NoticedMoment } from './knowledge.ts';
import {
  branchesDone,
  createRepository,
  mergeBranch,
  type PreparedSession,
  type Project,
  shiftOf,
  writeTranscript,
} from './projects.ts';
import { type AskedQuestion, isOn } from './score.ts';

/**
 * Who words the lessons: the daemon alone, or an agent too. The label's own sentence stands in for the agent's, either
 * where the daemon noticed the moment and so would have asked for it, or for every label, as if agents missed nothing.
 */
export const WRITERS = ['none', 'heard', 'labels'] as const;
export type StandIn = (typeof WRITERS)[number];

const TOP = 5;
const POLL = 20; // ms
const TIMEOUT_MS = 120_000;
const HURRY = 2_000; // ms an agent's hook waits

/** A daemon that lives through the sessions of projects and is then asked. */
export class LiveDaemon {
  readonly database: DaemonDatabase;
  readonly #daemon: RunningDaemon;
  readonly #call: Call;
  readonly #close: () => void;
  #prompts = 0;

  private constructor(daemon: RunningDaemon, call: Call, close: () => void) {
    this.#daemon = daemon;
    this.#call = call;
    this.#close = close;
    this.database = new DaemonDatabase(daemon.paths.database);
  }

  static async start(paths: Paths, environment: NodeJS.ProcessEnv): Promise<LiveDaemon> {
    const daemon = await startFromSource(paths, environment);
    const open = await connectTo(paths);
    if (!open) throw new Error('the daemon does not answer');
    return new LiveDaemon(daemon, createClient(open.connection.send), open.close);
  }

  async stop(): Promise<void> {
    this.database.close();
    this.#close();
    await this.#daemon.stop();
  }

  /** Lives through the sessions of a project, in order of time. Returns what an agent recorded in them. */
  async liveThrough(
    project: Project,
    { merge, writer }: { merge: boolean; writer: StandIn },
  ): Promise<NoticedMoment[]> {
    const shift = shiftOf(project, Date.now());
    createRepository(project, shift);
    const recorded: NoticedMoment[] = [];
    for (const session of project.sessions) {
      writeTranscript(session, project.root, shift);
      await this.#call('hook.run', {
        agent: session.labelled.agent,
        event: 'SessionEnd',
        payload: {
          session_id: session.id,
          cwd: project.root,
          transcript_path: session.path,
        },
      });
      // Embedded as well, so that the next session's notes are compared with these.
      await this.#until(
        `${session.labelled.name} is drained`,
        async () =>
          this.database.hasDrained(session.path) && (await this.#call('status', {})).index.waiting === 0,
      );
      if (writer !== 'none') recorded.push(...(await this.#record(session, project.root, writer)));
      if (merge) for (const branch of branchesDone(project, session)) mergeBranch(project.root, branch);
    }
    await this.#until('every note is compared with the others', () => this.database.isExamined());
    return recorded;
  }

  /** Records the lessons of a session as its agent would, each as a moment on its label's line. */
  async #record(session: PreparedSession, cwd: string, writer: StandIn): Promise<NoticedMoment[]> {
    const noticed = this.database.moments([session]);
    const recorded: NoticedMoment[] = [];
    for (const label of session.labelled.labels) {
      if (writer === 'heard' && !noticed.some(({ line }) => isOn(label, line))) continue;
      const answer = await this.#learn({ rule: label.learning, cwd, session: session.id });
      recorded.push({ session: session.labelled, line: label.line, signal: 'learn', score: 1, ...answer });
    }
    return recorded;
  }

  /** A lesson may be refused, e.g. for a commit that it names: the clone holds none of the sessions' own commits. */
  async #learn(
    lesson: Input<'learnings.learn'>,
  ): Promise<Pick<NoticedMoment, 'state' | 'reason' | 'learning'>> {
    try {
      const { learning, outcome } = await this.#call('learnings.learn', lesson);
      return { state: outcome, reason: '', learning: learning.id };
    } catch (error) {
      if (!(error instanceof DaemonError)) throw error;
      return { state: 'refused', reason: error.message, learning: null };
    }
  }

  /** Asks from the clone, where `main` is checked out. */
  async ask(cwd: string, query: string): Promise<AskedQuestion> {
    const search = async (more: object) => {
      const { hits } = await this.#call('recall.search', { query, cwd, limit: TOP, quiet: true, ...more });
      return hits.map(({ learning }) => learning.id);
    };
    return {
      query,
      learnings: await search({}),
      withCandidates: canSearchCandidates() ? await search({ candidates: true }) : null,
      injected: [],
    };
  }

  /** The notes injected into a fresh session that begins with this prompt. */
  async prompt(cwd: string, prompt: string): Promise<string[]> {
    const session = `asked-${++this.#prompts}`;
    await this.#call('hook.run', {
      agent: 'claude-code',
      event: 'UserPromptSubmit',
      payload: { session_id: session, cwd, prompt },
      withinMs: HURRY,
    });
    const uses = await this.#call('uses.list', { session });
    return uses.map(({ learningId }) => learningId);
  }

  async #until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    const deadline = performance.now() + TIMEOUT_MS;
    while (!(await isSo())) {
      if (performance.now() > deadline) throw new Error(`waited two minutes until ${what}`);
      await sleep(POLL);
    }
  }
}

const canSearchCandidates = () => 'candidates' in METHODS['recall.search'].input.shape;
