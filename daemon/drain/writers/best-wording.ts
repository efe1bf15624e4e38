import { judge, type Weights } from '../../capture/judge/cue.ts';
import { WORDING_CUES } from '../note-cues.ts';
import weights from '../note-weights.json' with { type: 'json' };
import type { Material } from '../writer.ts';
import type { Likeness } from './likeness.ts';
import { type Wording, wordingsOf } from './wordings.ts';

const FITTED: Weights = weights.wording;

const COMPARED = 6; // wordings: a seventh by its form is never the best
/** Log-odds of a wording that means the same as the whole message, over one that is about something else. */
const CENTRAL = 2;
/** The person's own words are the message: they are neither ahead of nor behind an agent's restatement of it. */
const OWN_WORDS = 0.5;

/**
 * The wordings of a moment, best first: what needs least around it, and says what the message says as a whole. On
 * repositories left out of the fit, the second makes .36 of the titles both clear and near to the labelled lesson; the
 * form alone .30.
 */
export async function rankWordings(moment: Material, likeness: Likeness): Promise<Wording[]> {
  const ranked = wordingsOf(moment)
    .map((wording) => ({ wording, rank: logOdds(judge(WORDING_CUES, FITTED, wording).probability) }))
    .sort((one, other) => other.rank - one.rank);
  const best = ranked.slice(0, COMPARED);
  const central = await likeness(
    best.map(({ wording }) => wording.rule),
    messageOf(moment),
  );
  return [
    ...best
      .map(({ wording, rank }, index) => ({ wording, rank: rank + worthOf(wording, central[index]) }))
      .sort((one, other) => other.rank - one.rank),
    ...ranked.slice(COMPARED),
  ].map(({ wording }) => wording);
}

const logOdds = (probability: number) => Math.log(probability / (1 - probability));
/** The beginning of a long message says what it is about. */
export const messageOf = ({ quote }: Pick<Material, 'quote'>): string => quote.slice(0, 600);

/** The worth of likeness to the whole message, in log-odds; unknown, it says nothing for or against anybody's words. */
export const worthOf = ({ by }: Wording, likeness: number | undefined): number =>
  likeness === undefined ? 0 : CENTRAL * (by === 'person' ? OWN_WORDS : likeness);
