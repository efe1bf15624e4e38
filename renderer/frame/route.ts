export const PAGES = [
  'inbox',
  'learnings',
  'lab',
  'graph',
  'slots',
  'sessions',
  'utility',
  'health',
  'team',
  'settings',
] as const;
export type Page = (typeof PAGES)[number];

/** The digit that leads to a page: its place in the sidebar, the tenth being 0. */
export const keyOfPage = (page: Page): string => String((PAGES.indexOf(page) + 1) % 10);

/** The current place in the app, read from the address: `#/learnings/some-id?q=words`. */
export type Route = { page: Page; id: string | null; query: Readonly<Record<string, string>> };

const isPage = (name: string | undefined): name is Page => PAGES.includes(name as Page);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reads any address; what makes no sense leads to the main page. */
export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const [page, id] = path.split('/');
  return {
    page: isPage(page) ? page : 'learnings',
    id: isPage(page) && id ? decoded(id) : null,
    query: Object.fromEntries(new URLSearchParams(search)),
  };
}

export function routeHash(page: Page, id: string | null = null, query: Record<string, string> = {}): string {
  const search = new URLSearchParams(query).toString();
  return `#/${page}${id ? `/${encodeURIComponent(id)}` : ''}${search ? `?${search}` : ''}`;
}
