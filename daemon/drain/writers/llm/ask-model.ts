import type { RunOutcome } from '#contract/writers.ts';
import { type UserResolve, resolveAll } from '../../../ports/knob.ts';
import type { WritableDb } from '../../../store/db.ts';
import { readBreaker, recordRun, saveBreaker, saveQuota } from '../../../store/capture/writer-usage.ts';
import { Postponed } from '../../writer.ts';
import { afterOutcome, breaker, type Classified, classifyAs } from './breaker.ts';
import type { Holds } from './holds.ts';
import { type Answer, cleanMessage, type Provider, Rejected } from './provider.ts';
import type { Hold } from './quota.ts';
import type { Reading } from './reply.ts';

type NoAnswer = { is: 'failed'; why: string } | { is: 'rejected'; hold: Hold };
export type Outcome<T> = (Classified<T> & { model: string }) | NoAnswer;

interface AskParts {
  db: WritableDb;
  now: () => number;
  resolve: UserResolve;
  stopped: AbortSignal;
}

interface Question<T> {
  provider: Provider;
  writer: string;
  timeoutSeconds: number;
  /** Names what the question is about, so that its cost is counted together. */
  key: string;
  prompt: string;
  read: (text: string) => Reading<T>;
}

const CHARACTERS_PER_TOKEN = 4; // where the provider does not count

/** One question: sent, timed, counted, judged. */
export async function askModel<T>(
  { db, now, resolve, stopped }: AskParts,
  holds: Holds,
  { provider, writer, timeoutSeconds, key, prompt, read }: Question<T>,
): Promise<Outcome<T>> {
  const startedAt = now();
  const timeout = AbortSignal.timeout(Math.round(timeoutSeconds * 1_000)); // takes whole milliseconds only
  const record = (outcome: RunOutcome, detail: string, answer?: Answer) => {
    const { model = provider.model, tokensIn = 0, tokensOut = 0, costUsd = null, text = '' } = answer ?? {};
    recordRun(db, {
      at: startedAt,
      writer,
      model,
      moment: key,
      costUsd,
      ms: Math.max(0, now() - startedAt),
      outcome,
      detail,
      tokensIn: tokensIn ?? estimate(prompt),
      tokensOut: tokensOut ?? estimate(text),
    });
    saveBreaker(
      db,
      writer,
      afterOutcome(readBreaker(db, writer), outcome, resolveAll(breaker.knobs, resolve), now()),
    );
  };
  try {
    const answer = await provider.ask(prompt, AbortSignal.any([timeout, stopped]));
    saveQuota(db, writer, answer.quota);
    const judged = classifyAs(answer.text, read);
    record(
      judged.is,
      judged.is === 'valid'
        ? ''
        : cleanMessage(`${judged.problems.join('; ')} — ${answer.text.slice(0, 200)}`, []),
      answer,
    );
    return { ...judged, model: answer.model };
  } catch (error) {
    if (stopped.aborted) throw new Postponed('Reflect was stopped while it was written', now());
    const why = timeout.aborted ? `no answer came within ${timeoutSeconds} s` : (error as Error).message;
    if (!(error instanceof Rejected)) {
      record('failed', why);
      return { is: 'failed', why };
    }
    record('rejected', why);
    saveQuota(db, writer, error.readings);
    const hold = holds.quota(writer, provider);
    return hold ? { is: 'rejected', hold } : { is: 'failed', why };
  }
}

const estimate = (text: string) => Math.ceil(text.length / CHARACTERS_PER_TOKEN);
