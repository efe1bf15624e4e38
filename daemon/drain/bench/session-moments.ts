import { clean } from '../../capture/clean.ts';
import type { CleanMoment } from '../../capture/protocol.ts';
import { TranscriptReader } from '../../capture/reader.ts';
import { adapterOf, type Label, type LabelledSession, lineCounter } from '../../capture/bench/labelled.ts';
import type { Resolve } from '../../ports/knob.ts';
import type { Material } from '../writer.ts';

/** A moment of a labelled session, with the line it was noticed on and the labels it meets. */
export interface LabelledMoment {
  session: LabelledSession;
  moment: CleanMoment;
  line: number;
  labels: Label[];
}

const shipped: Resolve = (knob) => knob.default;

/** Reads a session as the daemon does, to its end and the silence after it. */
export function momentsOf(session: LabelledSession, resolve = shipped): LabelledMoment[] {
  const reader = new TranscriptReader(adapterOf(session), session.path, null, resolve);
  const batches = [];
  for (let stretch = reader.read(); stretch; stretch = stretch.caughtUp ? null : reader.read())
    batches.push(clean(stretch));
  const rest = reader.rest();
  if (rest) batches.push(clean(rest));

  const voided = new Set(batches.flatMap((batch) => batch.voided));
  const added = Map.groupBy(
    batches.flatMap((batch) => batch.continuations),
    ({ key }) => key,
  );
  const lineOf = session.path.endsWith('.jsonl') ? lineCounter(session.path) : (position: number) => position;
  return batches
    .flatMap((batch) => batch.moments)
    .filter(({ key }) => !voided.has(key))
    .map((moment) => {
      const line = lineOf(moment.span.start);
      const after = (added.get(moment.key) ?? []).map(({ turn }) => turn);
      return {
        session,
        line,
        moment: { ...moment, turns: [...moment.turns, ...after] },
        labels: session.labels.filter((label) => [label.line, ...label.also_lines].includes(line)),
      };
    });
}

/** The moment as a writer gets it. */
export const materialOf = ({ moment }: LabelledMoment): Material => ({
  ...moment,
  project: moment.project?.id ?? '',
});
