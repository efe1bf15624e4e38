import { judge, type Weights } from '../../capture/judge/cue.ts';
import { WORDING_CUES } from '../note-cues.ts';
import weights from '../note-weights.json' with { type: 'json' };
import type { Material } from '../writer.ts';
import { type Wording, wordingsOf } from './wordings.ts';

const FITTED: Weights = weights.wording;

/** The wordings of a moment, best first: what says most of the lesson and needs least around it. */
export function rankWordings(moment: Material): Wording[] {
  return wordingsOf(moment)
    .map((wording) => ({ wording, rank: judge(WORDING_CUES, FITTED, wording).probability }))
    .sort((one, other) => other.rank - one.rank)
    .map(({ wording }) => wording);
}
