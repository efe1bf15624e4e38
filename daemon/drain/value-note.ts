import type { Note } from '#contract/entities.ts';
import type { Verdict } from '../capture/judge/cue.ts';
import type { Resolve } from '../ports/knob.ts';
import { isOneOffRequest } from './one-off-request.ts';
import { DRAIN_KNOBS } from './knobs.ts';
import { announcedIn, type Mode } from './modes/mode.ts';
import { judgeNote, type LocalWeights } from './stands-alone.ts';
import type { Material } from './writer.ts';
import { isForEveryProject } from './writers/evidence.ts';

export interface Circumstances {
  /** True for a session from before Reflect was first started. */
  isBackFill: boolean;
  local?: LocalWeights | undefined;
  /** The embedder's opinion of the title. */
  sense?: number | undefined;
  /** How many learnings its session has led to. */
  ofSession?: number | undefined;
  /** The mode the note was taken in. */
  mode: Mode;
}

const OLD = 'was said before Reflect was first started';
const OUTSIDE = 'was said outside of a project, so agents everywhere would get it';
const CROWDED = 'comes from a session with many learnings';

/** Learnings that a session may lead to before each next one has to be surer than the one before, and by how much. */
const FREE = 3;
const RISE = 0.01;
const rise = (ofSession: number) => RISE * Math.max(0, ofSession - FREE);

const isWordedByModel = ({ metadata }: Note) =>
  metadata.writer !== undefined && metadata.compression !== 'synthetic';

/** The judge's verdict after the telling phrases of the mode (M4). */
function heardIn(mode: Mode, { quote }: Material, verdict: Verdict): Verdict {
  const announced = announcedIn(mode, quote);
  if (!announced) return verdict;
  const { shift, phrase } = announced;
  const odds = Math.log(verdict.probability / (1 - verdict.probability)) + shift;
  const reason = `says “${phrase}”, which counts in the mode ${mode.name}`;
  return {
    ...verdict,
    probability: 1 / (1 + Math.exp(-odds)),
    ...(shift > 0 ? { why: [...verdict.why, reason] } : { against: [...verdict.against, reason] }),
  };
}

/** Decides whether a note is a learning or waits as a candidate. The reasons stay with the note. */
export function valueNote(
  note: Note,
  material: Material,
  resolve: Resolve,
  { isBackFill, local, sense = 0, mode, ofSession = 0 }: Circumstances,
): Note {
  const { probability, cues, why, against } = heardIn(
    mode,
    material,
    judgeNote({ title: note.title, sense }, material, local),
  );
  const rounded = Math.round(probability * 100) / 100;
  // A first run reads months of sessions. Their notes wait, so that nothing is injected before a person has seen the
  // best.
  const isTooOld = isBackFill && !resolve(DRAIN_KNOBS.backFillLearnings);
  const isOutside = material.project === '' && !isForEveryProject(material.quote);
  const bar = resolve(isWordedByModel(note) ? DRAIN_KNOBS.modelLearningBar : DRAIN_KNOBS.learningBar);
  const isGood = probability >= bar;
  const isOneOfMany = probability < bar + rise(ofSession);
  const waitsBecause = [
    ...(isTooOld ? [OLD] : []),
    ...(isOutside ? [OUTSIDE] : []),
    ...(isOneOfMany ? [CROWDED] : []),
  ];
  return {
    ...note,
    status: isGood && waitsBecause.length === 0 ? 'active' : 'candidate',
    confidence: rounded,
    metadata: {
      ...note.metadata,
      judged: {
        probability: rounded,
        sense,
        cues,
        why,
        against: isGood && waitsBecause.length > 0 ? waitsBecause : against,
        oneOffRequest: isOneOffRequest(note.title),
      },
    },
  };
}
