import * as z from 'zod';
import { projectName } from '../ui/format.ts';
import { remember, remembered } from '../ui/remember.ts';
import { FACETS, type Filter, UNFILTERED } from './filter.ts';

const NAME = 'learnings.filters';

/** A filter that was saved before a facet existed lacks it, and then filters nothing by it. */
const Stored = z.array(
  z.record(z.string(), z.string()).transform((filter) => ({ ...UNFILTERED, ...filter })),
);

const isSame = (one: Filter, other: Filter): boolean =>
  one.text.trim() === other.text.trim() && FACETS.every((facet) => one[facet] === other[facet]);

/** The name of a filter: its words in quotation marks, then every choice that is not the usual one. */
export function filterName(filter: Filter): string {
  const chosen = FACETS.filter((facet) => filter[facet] !== UNFILTERED[facet]).map((facet) =>
    facet === 'project' ? projectName(filter.project) : filter[facet],
  );
  const text = filter.text.trim();
  return [...(text === '' ? [] : [`“${text}”`]), ...chosen].filter(Boolean).join(' · ');
}

/** The filters a person came to want again, latest last. */
export class SavedFilters {
  all = $state.raw<readonly Filter[]>(remembered(NAME, Stored, []));

  /** The place of this filter among the saved ones; -1 if it is not saved. */
  indexOf(filter: Filter): number {
    return this.all.findIndex((saved) => isSame(saved, filter));
  }

  /** Saves the filter, or removes it if it is saved. */
  toggle(filter: Filter): void {
    const index = this.indexOf(filter);
    this.all = index < 0 ? [...this.all, filter] : this.all.toSpliced(index, 1);
    remember(NAME, this.all);
  }
}
