import { mkdirSync } from 'node:fs';
import type { NoteInput } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import type { FoundWriter, WritersStatus } from '#contract/writers.ts';
import type { Log } from '../../../platform/log.ts';
import { type KnobValues, resolveAll, type UserResolve } from '../../../ports/knob.ts';
import type { WritableDb } from '../../../store/db.ts';
import { readBreaker, readQuota, recentRuns, totalsByDay } from '../../../store/capture/writer-usage.ts';
import type { Mode } from '../../modes/mode.ts';
import { validation } from '../../validation.ts';
import {
  type AskModel,
  isWorthless,
  type Material,
  type PlainWriter,
  Postponed,
  type Worthless,
  type Writer,
} from '../../writer.ts';
import { askModel, type Outcome } from './ask-model.ts';
import { connect } from './connect.ts';
import { findWriters } from './discovery.ts';
import { Holds } from './holds.ts';
import { WRITER_KNOBS } from './knobs.ts';
import { buildPrompt, buildPromptForAll, ownPrompt } from './prompt.ts';
import type { Provider } from './provider.ts';
import { type Hold, quota } from './quota.ts';
import { readAs, type Reading, readReply, readVerdicts, toNote } from './reply.ts';
import { type Judged, TogetherVerdicts } from './together.ts';

export interface ModelWriterParts {
  db: WritableDb;
  now: () => number;
  log: Log;
  /** The user's own settings, read again for every note so that a change counts at once. */
  resolve: UserResolve;
  environment: NodeJS.ProcessEnv;
  /** Writes where no model does. */
  plain: PlainWriter;
  scratch: string;
  /** Aborted when the daemon stops: nobody should wait minutes for that. */
  stopped: AbortSignal;
}

type Settings = KnobValues<typeof WRITER_KNOBS>;
type Written = { note: NoteInput | Worthless } | { instead: string };

const DAYS_SHOWN = 14;
const RUNS_SHOWN = 20;

/**
 * Writes notes by asking whichever model the settings name, and without one where that is better:
 * - it answers nonsense, fails, or its settings are wrong: the heuristic writer writes now, for waiting would not help;
 * - its allowance or the day's budget is used up: the moment waits for it, none of its attempts spent, at most
 * `REFLECT_WRITER_DEFER_HOURS` after it happened; then the heuristic writer writes. So old transcripts, read for the
 * first time, never queue up behind a budget. A note that is written instead says so: `compression: synthetic` and why.
 * All waiting moments of a session are asked about in one question; a moment without a usable verdict in the answer is
 * asked about alone.
 */
export class ModelWriter implements Writer {
  readonly #parts: ModelWriterParts;
  readonly #holds: Holds;
  readonly #together: TogetherVerdicts;

  constructor(parts: ModelWriterParts) {
    this.#parts = parts;
    this.#holds = new Holds(parts);
    this.#together = new TogetherVerdicts(parts.db);
  }

  get name(): string {
    return this.#parts.resolve(WRITER_KNOBS.writer);
  }

  async write(
    moment: Material,
    mode: Mode,
    problems: readonly string[],
  ): Promise<NoteInput | Worthless | null> {
    const settings = resolveAll(WRITER_KNOBS, this.#parts.resolve);
    if (settings.writer === 'heuristic') return this.#parts.plain.write(moment, mode, problems);
    const written = await this.#askForNote(settings, moment, mode, problems);
    if (!('instead' in written)) return written.note;
    this.#parts.log.info(`${moment.key} is written without ${settings.writer}: ${written.instead}`);
    const note = await this.#parts.plain.write(moment, mode, problems);
    return (
      note && {
        ...note,
        metadata: {
          ...note.metadata,
          compression: 'synthetic',
          insteadOf: settings.writer,
          because: written.instead,
        },
      }
    );
  }

  /** Asks the chosen model for something other than a note. Null when there is none, or it cannot answer now. */
  readonly ask: AskModel = async (key, prompt, schema, when) => {
    const settings = resolveAll(WRITER_KNOBS, this.#parts.resolve);
    if (settings.writer === 'heuristic') return null;
    const { provider } = this.#connect(settings);
    if (!provider || this.#holds.reasonAgainst(settings.writer, key)) return null;
    const hold = this.#holds.now(settings.writer, provider, key, when === 'now');
    if (hold && when === 'later') throw new Postponed(`waits for the model: ${hold.why}`, hold.until);
    if (hold) return null;
    const outcome = await this.#question(provider, settings, { key }, ownPrompt(prompt), readAs(schema));
    return outcome.is === 'valid' ? outcome.value : null;
  };

  /** The problem of the settings; '' when there is none. */
  get problem(): string {
    return this.#connect(resolveAll(WRITER_KNOBS, this.#parts.resolve)).problem;
  }

  /** The writers on this machine, as this one would run them. */
  async find(): Promise<FoundWriter[]> {
    const { environment, scratch, resolve } = this.#parts;
    mkdirSync(scratch, { recursive: true, mode: 0o700 });
    return findWriters({ environment, folder: scratch, settings: resolveAll(WRITER_KNOBS, resolve) });
  }

  status(): WritersStatus {
    const { db, resolve, now } = this.#parts;
    const settings = resolveAll(WRITER_KNOBS, resolve);
    const { writer } = settings;
    const { provider, problem } = this.#connect(settings);
    const { streak } = readBreaker(db, writer);
    return {
      writer,
      model: provider?.model ?? '',
      problem,
      held: provider && this.#holds.now(writer, provider, '', false),
      failuresInARow: streak,
      quota: readQuota(db, writer).filter(
        ({ seenAt }) => now() - seenAt < resolve(quota.knobs.ttlSeconds) * 1_000,
      ),
      days: totalsByDay(db, DAYS_SHOWN),
      recent: recentRuns(db, RUNS_SHOWN),
    };
  }

  async #askForNote(
    settings: Settings,
    moment: Material,
    mode: Mode,
    problems: readonly string[],
  ): Promise<Written> {
    const { writer } = settings;
    const { provider, problem } = this.#connect(settings);
    if (!provider) return { instead: problem };
    const note = ({ verdict, model }: Judged): Written => ({
      note: isWorthless(verdict) ? verdict : toNote(verdict, moment, mode, { writer, model }),
    });
    if (problems.length === 0) {
      const known =
        this.#together.take(moment.key) ?? (await this.#askTogether(provider, settings, moment, mode));
      if (known) return 'instead' in known ? known : note(known);
    }
    const attempts = this.#parts.resolve(validation.knobs.attempts);
    let complaints = problems;
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const obstacle = this.#obstacle(provider, settings, moment, complaints.length > 0);
      if (obstacle) return obstacle;
      const prompt = buildPrompt(moment, mode, complaints);
      const outcome = await this.#question(provider, settings, moment, prompt, readReply);
      if (outcome.is === 'valid') return note({ verdict: outcome.value, model: outcome.model });
      if (outcome.is === 'failed') return { instead: outcome.why };
      if (outcome.is === 'rejected') return this.#waitOrGoOn(outcome.hold, moment, settings);
      complaints = outcome.problems;
    }
    return { instead: this.#holds.reasonAgainst(writer, moment.key) ?? 'its answers could not be used' };
  }

  /** Asks about all waiting moments of the session; null if this one is alone or the answer does not mention it. */
  async #askTogether(
    provider: Provider,
    settings: Settings,
    moment: Material,
    mode: Mode,
  ): Promise<Judged | { instead: string } | null> {
    const waitsUntil = moment.at + settings.gatherSeconds * 1_000;
    if (!moment.isUrgent && this.#parts.now() < waitsUntil && this.#together.isQueued(moment))
      throw new Postponed('waits for more of its session', waitsUntil);
    const moments = this.#together.groupOf(moment);
    if (moments.length === 1) return null;
    const obstacle = this.#obstacle(provider, settings, moment, false);
    if (obstacle) return obstacle;
    const prompt = buildPromptForAll(moments, mode);
    const outcome = await this.#question(provider, settings, moment, prompt, readVerdicts);
    if (outcome.is === 'failed') return { instead: outcome.why };
    if (outcome.is === 'rejected') return this.#waitOrGoOn(outcome.hold, moment, settings);
    this.#together.keep(
      moments,
      outcome.is === 'valid' ? outcome.value : new Map(),
      outcome.is === 'valid' ? outcome.model : '',
    );
    return this.#together.take(moment.key);
  }

  /** The reason to write without the model, if any; throws where the moment should wait for it. */
  #obstacle(
    provider: Provider,
    settings: Settings,
    moment: Material,
    started: boolean,
  ): { instead: string } | null {
    const { writer } = settings;
    const reason = this.#holds.reasonAgainst(writer, moment.key);
    if (reason) return { instead: reason };
    // A moment that was started is finished: only its first question needs room in the budget.
    const hold =
      this.#holds.quota(writer, provider) ??
      (started ? null : this.#holds.budget(moment.key, moment.isUrgent === true));
    return hold ? this.#waitOrGoOn(hold, moment, settings) : null;
  }

  #connect(settings: Settings): { provider: Provider | null; problem: string } {
    try {
      return { provider: connect(settings, this.#parts), problem: '' };
    } catch (error) {
      return {
        provider: null,
        problem: error instanceof DaemonError ? (error.detail ?? error.message) : String(error),
      };
    }
  }

  #waitOrGoOn({ why, until }: Hold, { at }: Material, { deferHours }: Settings): { instead: string } {
    const deadline = at + deferHours * 3_600_000;
    if (this.#parts.now() < deadline)
      throw new Postponed(`waits for the model: ${why}`, Math.min(until, deadline));
    return { instead: why };
  }

  #question<T>(
    provider: Provider,
    { writer, timeoutSeconds }: Settings,
    { key }: Pick<Material, 'key'>,
    prompt: string,
    read: (text: string) => Reading<T>,
  ): Promise<Outcome<T>> {
    return askModel(this.#parts, this.#holds, { provider, writer, timeoutSeconds, key, prompt, read });
  }
}
