import { flag } from '../ports/knob.ts';
import { projectPort } from '../ports/port.ts';

/** Records recall keeps about its own answers, for the Health page. */
export const followUps = projectPort({
  id: 'recall.follow-ups',
  seeds: ['A4'],
  doc: 'Counts how often a session asks something else right after an answer, a sign that the answer did not help.',
  switch: flag('RECALL_FOLLOWUP', true, 'Notice when a session asks again and gets different results'),
  knobs: {},
});

export const knowledgeGaps = projectPort({
  id: 'recall.gaps',
  seeds: ['SG6'],
  doc: 'Keeps questions that found nothing, so you see what is missing.',
  switch: flag('RECALL_GAP_LOG', true, 'Keep questions that found nothing'),
  knobs: {},
});
