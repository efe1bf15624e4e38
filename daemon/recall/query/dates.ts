import { flag } from '../../ports/knob.ts';
import { parseDates, withoutPhrase } from '../dates/parse-dates.ts';
import { recallPort } from '../port.ts';
import { dateOf } from '../../platform/time.ts';

// "at 3pm" and "it may" are read too, but hardly ever mean a day.
const SURE_ENOUGH = 0.3;

export const dates = recallPort({
  id: 'query.dates',
  seeds: ['R6'],
  doc: 'Reads "last week" and "in March" as a time, not as words.',
  switch: flag('RECALL_TEMPORAL', true, 'Read times in questions'),
  knobs: {},
  off: (question) => question,
  run(question, { now }) {
    const range = parseDates(question.text, now());
    if (question.range) return { result: question, says: 'the caller named a time' };
    if (!range || range.confidence < SURE_ENOUGH)
      return { result: question, says: 'no time in the question' };
    const day = (at: number) => dateOf(at);
    return {
      result: { ...question, range, words: withoutPhrase(question.text, range) || question.text },
      says: `"${range.matchedText}" is ${day(range.start)} to ${day(range.end)}`,
    };
  },
});
