import { DaemonError } from '#contract/errors.ts';
import { type Input, METHODS } from '#contract/methods.ts';
import type { Paths } from '../../platform/paths.ts';
import { type Client, openClient, type RunningDaemon, startFromSource, until } from '../daemon-process.ts';
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
const PATIENCE = { everyMs: 20, withinMs: 120_000 };
const HURRY = 2_000; // ms an agent's hook waits

/** A daemon that lives through the sessions of projects and is then asked. */
export class LiveDaemon {
  readonly database: DaemonDatabase;
  readonly #daemon: RunningDaemon;
  readonly #client: Client;
  #prompts = 0;

  private constructor(daemon: RunningDaemon, client: Client) {
    this.#daemon = daemon;
    this.#client = client;
    this.database = new DaemonDatabase(daemon.paths.database);
  }

  static async start(paths: Paths, environment: NodeJS.ProcessEnv): Promise<LiveDaemon> {
    const daemon = await startFromSource(paths, environment);
    return new LiveDaemon(daemon, await openClient(paths));
  }

  async stop(): Promise<void> {
    this.database.close();
    this.#client.close();
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
      await this.#client.call('hook.run', {
        agent: session.labelled.agent,
        event: 'SessionEnd',
        payload: {
          session_id: session.id,
          cwd: project.root,
          transcript_path: session.path,
        },
      });
      // Embedded as well, so that the next session's notes are compared with these.
      await until(
        `${session.labelled.name} is drained`,
        async () =>
          this.database.hasDrained(session.path) &&
          (await this.#client.call('status', {})).index.waiting === 0,
        PATIENCE,
      );
      if (writer !== 'none') recorded.push(...(await this.#record(session, project.root, writer)));
      if (merge) for (const branch of branchesDone(project, session)) mergeBranch(project.root, branch);
    }
    await until('every note is compared with the others', () => this.database.isExamined(), PATIENCE);
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
      const { learning, outcome } = await this.#client.call('learnings.learn', lesson);
      return { state: outcome, reason: '', learning: learning.id };
    } catch (error) {
      if (!(error instanceof DaemonError)) throw error;
      return { state: 'refused', reason: error.message, learning: null };
    }
  }

  /** Asks from the clone, where `main` is checked out. */
  async ask(cwd: string, query: string): Promise<AskedQuestion> {
    const search = async (more: object) => {
      const { hits } = await this.#client.call('recall.search', {
        query,
        cwd,
        limit: TOP,
        quiet: true,
        ...more,
      });
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
    await this.#client.call('hook.run', {
      agent: 'claude-code',
      event: 'UserPromptSubmit',
      payload: { session_id: session, cwd, prompt },
      withinMs: HURRY,
    });
    const uses = await this.#client.call('uses.list', { session });
    return uses.map(({ learningId }) => learningId);
  }
}

const canSearchCandidates = () => 'candidates' in METHODS['recall.search'].input.shape;
