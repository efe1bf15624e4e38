import type { Learning } from '#contract/entities.ts';
import { FACT_CATEGORIES } from '#contract/outcomes.ts';
import { flag, integer } from '../../ports/knob.ts';
import { projectPort } from '../../ports/port.ts';
import { fieldLine } from '../render.ts';
import { originOf } from '../origin.ts';

const cap = (category: string, value: number) =>
  integer(`REFLECT_FACTS_${category.toUpperCase()}_CHARS`, {
    default: value,
    min: 0,
    max: 10_000,
    doc: `Most characters of ${category} facts injected into a session`,
  });

const FACT_TIER_KNOBS = {
  preference: cap('preference', 400),
  personal: cap('personal', 300),
  project: cap('project', 500),
  general: cap('general', 300),
};

export const factTier = projectPort({
  id: 'inject.facts',
  seeds: [],
  doc: 'Starts every session with the long-term facts, the latest of each category first, as far as they fit.',
  switch: flag('REFLECT_FACTS', true, 'Start sessions with the long-term facts'),
  knobs: FACT_TIER_KNOBS,
});

export const FACT = 'fact';
export type FactCaps = Record<keyof typeof FACT_TIER_KNOBS, number>;

/** The latest facts of each category that fit its limit; one that does not fit leaves room for a shorter one. */
export function factsToInject(facts: readonly Learning[], caps: FactCaps): Learning[] {
  return FACT_CATEGORIES.flatMap((category) => {
    let left = caps[category];
    return facts
      .filter((fact) => fact.category === category)
      .filter(({ title }) => {
        const fits = title.length <= left;
        if (fits) left -= title.length;
        return fits;
      });
  });
}

export function renderFacts(facts: readonly Learning[]): string {
  return facts.length === 0
    ? ''
    : [
        '## Always true here',
        ...facts.map((fact) => {
          const { title, category } = fact;
          return `- ${category === 'general' ? '' : `(${fieldLine(category)}) `}${fieldLine(title)} (${originOf(fact)})`;
        }),
      ].join('\n');
}
