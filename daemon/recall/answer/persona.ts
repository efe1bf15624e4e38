import { flag, number } from '../../ports/knob.ts';
import { personaOf } from '../../store/distill/persona.ts';
import { contentWords } from '../../text/tokenise.ts';
import { recallPort } from '../port.ts';

/** Questions about how things are done here, which one fact may answer. */
const OPEN_DOMAIN =
  /\b(?:conventions?|prefer\w*|generally|typically|usually|persona|(?:code|coding|house|team) style|(?:what|how) do(?:es)? (?:we|the team|this codebase|this project|the project)|(?:what|which) \w+(?: \w+)? do(?:es)? (?:we|the team|this codebase|this project|the project)|project)\b/i;

/** "How do I run the linter here?" asks for a routine; "… on Windows?" asks for more than a fact knows. */
const HOW_TO = /^(?:how (?:do|can|should|are|is|to)|(?:what|which)\b.*\bcommand)\b/i;
const SAID_OF_ANY_ROUTINE = /^(?:commands?|run|used?|project|repo|repository|codebase)$/;

const partsOf = (field: string) => field.split('_');

/** Of `run_tests`, "test" or "tests" is enough in a question that has no other word of meaning. */
function asksOnlyFor(field: string, text: string): boolean {
  const parts = partsOf(field.replace(/^run_/, '')).map((part) => part.replace(/s$/, ''));
  return (
    parts.every((part) => text.includes(part)) &&
    contentWords(text).every(
      (word) => SAID_OF_ANY_ROUTINE.test(word) || parts.some((part) => word.startsWith(part)),
    )
  );
}

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
      doc: 'How well proven a fact must be to answer a question directly',
    }),
  },
  off: () => null,
  run(_input, { db, question, scope: { project } }, { confidence }) {
    const isOpen = OPEN_DOMAIN.test(question.text);
    const isHowTo = HOW_TO.test(question.text);
    if (!project || (!isOpen && !isHowTo)) return { result: null, says: 'not a question about conventions' };
    const text = question.text.toLowerCase();
    const [fact] = personaOf(db, project)
      .filter((known) => known.confidence >= confidence)
      .filter(
        ({ field }) =>
          (isOpen && partsOf(field).every((part) => text.includes(part))) ||
          (isHowTo && asksOnlyFor(field, text)),
      )
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
