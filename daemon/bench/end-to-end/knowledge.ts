import { readFileSync } from 'node:fs';
import type { Learning } from '#contract/entities.ts';
import type { LabelledSession } from '../../capture/bench/labelled.ts';
import { EXPERIENCE } from '../../recall/inject/experience-marks.ts';
import { StoreDatabase } from '../../store/connection.ts';
import { MOMENT_PAYLOAD, NOTE } from '../../store/columns.ts';
import { countUnexamined } from '../../store/learnings/unexamined.ts';
import { lineReader, type PreparedSession } from './projects.ts';

const RECOGNISABLE = 60; // characters
const wordsOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');

/** The line of a transcript that begins to say this, whatever its marks; null if none does. */
function lineWith(path: string, sentence: string): number | null {
  const words = wordsOf(sentence).trim().slice(0, RECOGNISABLE);
  const index = readFileSync(path, 'utf8')
    .split('\n')
    .findIndex((line) => wordsOf(line).includes(words));
  return index < 0 ? null : index + 1;
}

/** A moment the daemon noticed, on its line of the labelled session. */
export interface NoticedMoment {
  session: LabelledSession;
  line: number;
  signal: string;
  score: number;
  state: string;
  /** Why it was dropped, if the daemon says so. */
  reason: string;
  learning: string | null;
}

export type KnownNote = Pick<
  Learning,
  'id' | 'title' | 'type' | 'rule' | 'branch' | 'scope' | 'supersededBy' | 'provenance' | 'confidence'
> & { status: string };

/** Reads a daemon's database, because the contract does not say on which line a duplicate was noticed. */
export class DaemonDatabase {
  readonly #db: StoreDatabase;

  constructor(file: string) {
    this.#db = new StoreDatabase(file, { readonly: true });
  }

  /** True when the transcript was read to its end, with what was held back till then, and the queue is empty. */
  hasDrained(path: string): boolean {
    const read = this.#db
      .prepare<[string], number>('SELECT 1 FROM transcript WHERE path = ? AND swept_mtime > 0')
      .get(path);
    const waiting = this.#db
      .prepare<[], number>(`SELECT 1 FROM capture_window WHERE state IN ('queued', 'leased') LIMIT 1`)
      .get();
    return read !== undefined && waiting === undefined;
  }

  /** True when no note waits to be compared with the others. */
  isExamined(): boolean {
    return countUnexamined(this.#db) === 0;
  }

  moments(sessions: readonly PreparedSession[]): NoticedMoment[] {
    const rows = this.#db.prepare<
      [string],
      { signal: string; state: string; error: string; learning: string | null; payload: string }
    >(
      `SELECT signal, state, error, learning_id AS learning, payload FROM capture_window
       WHERE transcript = ? ORDER BY id`,
    );
    const drained = sessions.flatMap(({ labelled: session, path }) => {
      const lineOf = lineReader(path);
      return rows.all(path).map(({ error: reason, payload, ...row }) => {
        const { span, score } = MOMENT_PAYLOAD.read(payload);
        return { ...row, session, line: lineOf(span.start), score, reason };
      });
    });
    return [...drained, ...this.#recurring(sessions), ...this.#experiences(sessions)];
  }

  /** An experience is a sentence that the agent said somewhere in a turn; its line is the one with those words. */
  #experiences(sessions: readonly PreparedSession[]): NoticedMoment[] {
    return [...this.notes().values()].flatMap(({ id, rule, type, status, provenance }) => {
      const prepared = type === EXPERIENCE && sessions.find((session) => session.id === provenance.session);
      const line = prepared ? lineWith(prepared.path, rule) : null;
      return prepared && line !== null
        ? [
            {
              session: prepared.labelled,
              line,
              signal: 'signal.experience',
              score: 0,
              state: status,
              reason: '',
              learning: id,
            },
          ]
        : [];
    });
  }

  /** Moments that count only when they come again: the first is held back, the third and later prove the note. */
  #recurring(sessions: readonly PreparedSession[]): NoticedMoment[] {
    const rows = this.#db
      .prepare<[], { key: string; learning: string | null }>(
        `
        SELECT met.key, note.learning_id AS learning FROM recurrence met
        LEFT JOIN recurrence passed
          ON passed.project = met.project AND passed.signature = met.signature AND passed.released = 1
        LEFT JOIN capture_window note ON note.key = passed.key
        WHERE met.key NOT IN (SELECT key FROM capture_window)
      `,
      )
      .all();
    return rows.flatMap(({ key, learning }) => {
      const signal = key.slice(0, key.indexOf(':'));
      const record = key.slice(signal.length + 1);
      const session = sessions.find(({ lineOfRecord }) => lineOfRecord.has(record));
      const line = session?.lineOfRecord.get(record);
      return session && line !== undefined
        ? [
            {
              session: session.labelled,
              line,
              signal,
              score: 0,
              state: 'recurring',
              reason: 'was met in one session only',
              learning,
            },
          ]
        : [];
    });
  }

  notes(): Map<string, KnownNote> {
    const rows = this.#db.prepare<[], { id: string; note: string }>('SELECT id, note FROM learning').all();
    return new Map(rows.map(({ id, note }) => [id, { ...NOTE.read(note), id }]));
  }

  close(): void {
    this.#db.close();
  }
}
