import { type Fields, list, object, text, wordsOf } from './fields.ts';

const ASKING = /^(?:ask_?user(?:_?question)?|request_user_input|question)$/i;
const PAIR = /"([^"\n]+)"="([^"]*)"/g;
const PREAMBLE = /^User (?:responded|selected|answered|has answered your questions?):?\s*/i;

export const asksPerson = (tool: string): boolean => ASKING.test(tool);

/** `question → answer` lines, so that an answer can be understood alone; '' when nothing was answered. */
export function answersTo(input: Fields, outcome: unknown, output: string): string {
  const questions = [...list(input, 'questions'), ...(text(input, 'question') ? [input] : [])];
  const { answers } = object({ outcome }, 'outcome');
  const structured =
    typeof answers === 'object' && answers !== null
      ? Object.entries(answers).map(([key, answer]) => [asked(questions, key), spoken(answer)])
      : [];
  const written =
    structured.length > 0
      ? structured
      : [...output.matchAll(PAIR)].map(([, question = '', answer = '']) => [question, answer]);
  const pairs =
    written.length > 0 || questions.length !== 1
      ? written
      : [[asked(questions, '0'), output.replace(PREAMBLE, '').trim()]];
  return pairs
    .filter(([, answer]) => answer)
    .map(([question, answer]) => `${question} → ${answer}`)
    .join('\n');
}

/** Agents name an answer's question by its words, its id or its place in the list. */
function asked(questions: readonly Fields[], key: string): string {
  const question = questions.find(({ id }) => id === key) ?? questions[Number(key)];
  return (question && text(question, 'question', 'header', 'title')) || key;
}

function spoken(answer: unknown): string {
  if (Array.isArray(answer)) return answer.map(spoken).filter(Boolean).join(', ');
  const several = object({ answer }, 'answer').answers;
  return Array.isArray(several) ? spoken(several) : wordsOf(answer).trim();
}
