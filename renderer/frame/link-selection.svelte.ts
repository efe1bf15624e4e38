import { untrack } from 'svelte';
import type { Page } from './route.ts';
import type { Router } from './router.svelte.ts';

export interface Selection {
  /** The selected id. */
  id: () => string | null;
  /** More that a link must say, such as the tab it is on. */
  query?: () => Record<string, string>;
  select: (id: string, query: Readonly<Record<string, string>>) => void;
}

/** A link leads to what is selected, and selecting something else changes the link. To be called while a screen is set up. */
export function linkSelection(
  router: Router,
  page: Page,
  { id, query = () => ({}), select }: Selection,
): void {
  const follow = () => {
    const { route } = router;
    if (route.page === page && route.id !== null)
      untrack(() => route.id !== id() && select(route.id ?? '', route.query));
  };
  follow();
  $effect(follow);
  $effect(() => {
    const [selected, more] = [id(), query()];
    untrack(() => {
      if (selected !== null && router.route.page === page) router.show(page, selected, more);
    });
  });
}
