import { type Page, parseRoute, type Route, routeHash } from './route.ts';

/** The address bar is the one truth about where one is; links are plain links. */
export class Router {
  route = $state.raw<Route>(parseRoute(location.hash));

  /** Starts following the address; returns how to stop. */
  follow(): () => void {
    const read = () => (this.route = parseRoute(location.hash));
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }

  go(page: Page, id: string | null = null, query: Record<string, string> = {}): void {
    location.hash = routeHash(page, id, query);
  }

  /** Moves within a list: the address follows, but the back button does not replay every row. */
  show(page: Page, id: string | null, query: Record<string, string> = {}): void {
    const hash = routeHash(page, id, query);
    if (hash === location.hash) return;
    history.replaceState(history.state, '', hash);
    this.route = parseRoute(hash);
  }
}
