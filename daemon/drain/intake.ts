import { createHash } from 'node:crypto';
import type { Turn } from '../capture/pipeline.ts';
import type { Batch, CleanWindow } from '../capture/protocol.ts';
import type { WritableDb } from '../store/db.ts';
import { rememberProject } from '../store/learnings.ts';
import { addToCounter } from '../store/meta.ts';
import { savePosition } from '../store/transcripts.ts';
import { appendTurn, enqueueWindow } from '../store/windows.ts';

/** What a writer gets to see of a transcript. */
export interface WindowPayload {
  quote: string;
  type: CleanWindow['type'];
  speculative: boolean;
  why: string[];
  score: number;
  span: { start: number; end: number };
  turns: Turn[];
}

/** Stores a stretch of transcript with the position it reaches, as one: a crash repeats all of it or none. */
export function takeIn(db: WritableDb, batch: Batch, now: number, settleMs: number): Array<{ id: number; window: CleanWindow }> {
  return db.transaction(() => {
    const fresh = batch.windows.flatMap((window) => {
      if (window.project) rememberProject(db, window.project, now);
      const id = enqueueWindow(db, toRow(window, batch.position.agent, batch.position.path), now + settleMs);
      return id === null ? [] : [{ id, window }];
    });
    for (const { key, turn } of batch.continuations) appendTurn(db, key, JSON.stringify(turn));
    for (const [kind, times] of Object.entries(batch.redactions)) addToCounter(db, `redacted:${kind}`, times);
    savePosition(db, batch.position, batch.counts);
    return fresh;
  })();
}

function toRow(window: CleanWindow, agent: string, transcript: string) {
  const { key, signal, session, at, branch, quote, type, speculative, why, score, span, turns, project } = window;
  const payload: WindowPayload = { quote, type, speculative, why, score, span, turns };
  return {
    key, signal, agent, session, transcript, at, branch,
    project: project?.id ?? '',
    chunkHash: chunkHash(turns.filter(({ trigger }) => trigger).map(({ text }) => text).join('\n')),
    payload: JSON.stringify(payload),
  };
}

/** The same words, whatever the spacing, are the same chunk (S7). */
export function chunkHash(text: string): string {
  return createHash('sha256').update(text.replace(/\s+/g, ' ').trim()).digest('hex').slice(0, 16);
}
