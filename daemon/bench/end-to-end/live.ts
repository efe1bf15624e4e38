import { createClient, type Call, METHODS } from '#contract/methods.ts';
import { connectTo } from '../../client/connect.ts';
import type { Paths } from '../../platform/paths.ts';
import { type RunningDaemon, sleep, startFromSource } from '../daemon-process.ts';
import { DaemonDatabase } from './knowledge.ts';
import {
  branchesDone,
  createRepository,
  mergeBranch,
  type Project,
  shiftOf,
  writeTranscript,
} from './projects.ts';
import type { AskedQuestion } from './score.ts';

const TOP = 5;
const POLL = 20; // ms
const PATIENCE = 120_000; // ms
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

  /** Lives through the sessions of a project, in order of time. */
  async liveThrough(project: Project, merge: boolean): Promise<void> {
    const shift = shiftOf(project, Date.now());
    createRepository(project, shift);
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
      if (merge) for (const branch of branchesDone(project, session)) mergeBranch(project.root, branch);
    }
    await this.#until('every note is compared with the others', () => this.database.isExamined());
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
    const deadline = performance.now() + PATIENCE;
    while (!(await isSo())) {
      if (performance.now() > deadline) throw new Error(`waited two minutes until ${what}`);
      await sleep(POLL);
    }
  }
}

const canSearchCandidates = () => 'candidates' in METHODS['recall.search'].input.shape;
