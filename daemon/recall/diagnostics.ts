import { flag } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';

/** Records recall keeps about its own answers, for the Health page. */
export const followUps = {
  id: 'recall.follow-ups',
  seeds: ['A4'],
  doc: 'Counts how often a session asks something else right after an answer, a sign that the answer did not help.',
  switch: flag(
    'RECALL_FOLLOWUP',
    true,
    'Notice when a session asks again right after and gets nothing in common',
  ),
  knobs: {},
} satisfies PortCard;

export const knowledgeGaps = {
  id: 'recall.gaps',
  seeds: ['SG6'],
  doc: 'Remembers questions that found nothing, so that you see what is missing.',
  switch: flag('RECALL_GAP_LOG', true, 'Remember questions that found nothing'),
  knobs: {},
} satisfies PortCard;
