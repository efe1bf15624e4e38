import { type TrayView, traySentence } from './tray-state.ts';

const QUIET_MS = 30 * 60_000;

/** Says when something new needs a person: only when there is more than before, and not again within half an hour. */
export class AttentionAlarm {
  #known: number | undefined;
  #shownAt = Number.NEGATIVE_INFINITY;

  /** The notification to show now, or null. Anything that waited before the app started was seen, or is in the tray. */
  sentenceFor(view: TrayView, now: number): string | null {
    if (!view.status) return null;
    const waiting = view.status.attention + view.status.notices.length;
    const isMore = this.#known !== undefined && waiting > this.#known;
    // Announced late rather than never: what came within the quiet time still counts as new after it.
    if (isMore && now - this.#shownAt < QUIET_MS) return null;
    this.#known = waiting;
    if (!isMore) return null;
    this.#shownAt = now;
    return traySentence(view);
  }
}
