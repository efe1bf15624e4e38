import { untrack } from 'svelte';
import { type Page, parseRoute, type Route, routeHash } from './route.ts';

/** How a screen reads and writes its part of the address. */
export interface Place {
  /** The item and options on screen now; null while they need no address. */
  shown: () => { id?: string | null; query?: Record<string, string> } | null;
  open: (route: Route) => void;
}

/** The address bar is the one truth about where one is; links are plain links. */
export class Router {
  route = $state.raw<Route>(parseRoute(location.hash));
  /** The address that the route was read from. */
  #hash = location.hash;

  /** Starts following the address; returns how to stop. */
  follow(): () => void {
    const read = () => this.#read();
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }

  #read(): void {
    this.#hash = location.hash;
    this.route = parseRoute(this.#hash);
  }

  go(page: Page, id: string | null = null, query: Record<string, string> = {}): void {
    location.hash = routeHash(page, id, query);
  }

  /** Moves within a list: the address follows, but the back button does not replay every row. */
  show(page: Page, id: string | null, query: Record<string, string> = {}): void {
    const hash = routeHash(page, id, query);
    if (hash === location.hash) return;
    // A link that was just followed has changed the address already; its event is still to come and must find it.
    if (location.hash !== this.#hash) return;
    history.replaceState(history.state, '', hash);
    this.#read();
  }

  /** A link opens its place on the page, and the page's state changes the link. Call it while a screen is set up. */
  link(page: Page, { shown, open }: Place): void {
    let known: Route | undefined;
    const follow = () => {
      const { route } = this;
      if (route.page !== page || route === known) return;
      known = route;
      untrack(() => open(route));
    };
    follow();
    $effect(follow);
    $effect(() => {
      const place = shown();
      untrack(() => {
        if (!place || this.route.page !== page) return;
        this.show(page, place.id ?? null, place.query);
        known = this.route;
      });
    });
  }

  /** The same for a page that shows one selected item. */
  linkSelection(page: Page, selected: () => string | null, select: (id: string) => void): void {
    this.link(page, {
      shown: () => withId(selected()),
      open: ({ id }) => id !== null && id !== selected() && select(id),
    });
  }
}

const withId = (id: string | null) => (id === null ? null : { id });
