import { flag, number } from '../../ports/knob.ts';
import { personaOf } from '../../store/distill/persona.ts';
import { recallPort } from '../port.ts';

/** Questions about how things are done here, which one fact may answer. */
const OPEN_DOMAIN =
  /\b(?:conventions?|prefer\w*|generally|typically|usually|persona|(?:code|coding|house|team) style|(?:what|how) do(?:es)? (?:we|the team|this codebase|this project|the project)|(?:what|which) \w+(?: \w+)? do(?:es)? (?:we|the team|this codebase|this project|the project)|project)\b/i;

export const persona = recallPort({
  id: 'answer.persona',
  seeds: ['O3'],
  doc: 'Answers "what testing style do we use?" with the one fact known about it, instead of with a list of notes.',
  switch: flag('RECALL_PERSONA', true, 'Answer from well-proven facts about the project'),
  knobs: {
    confidence: number('RECALL_PERSONA_CONFIDENCE', {
      default: 0.8,
      min: 0,
      max: 1,
      doc: 'How well proven a fact must be to answer by itself',
    }),
  },
  off: () => null,
  run(_input, { db, question, scope: { project } }, { confidence }) {
    if (!project || !OPEN_DOMAIN.test(question.text))
      return { result: null, says: 'no question about how things are done here' };
    const text = question.text.toLowerCase();
    const partsOf = (field: string) => field.split('_');
    const [fact] = personaOf(db, project)
      .filter((known) => known.confidence >= confidence)
      .filter(({ field }) => partsOf(field).every((part) => text.includes(part)))
      // "How do we run the integration tests?" is about those, although it also names tests.
      .toSorted((one, other) => partsOf(other.field).length - partsOf(one.field).length);
    return fact
      ? {
          result: { field: fact.field, text: fact.value },
          says: `${fact.field} is known with confidence ${fact.confidence}`,
        }
      : { result: null, says: 'no fact answers it' };
  },
});
