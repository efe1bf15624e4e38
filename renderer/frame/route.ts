/** The pages everyone sees, in the order of the sidebar. */
export const MAIN_PAGES = ['inbox', 'learnings', 'sessions', 'slots', 'team', 'settings'] as const;
/** Pages that show how Reflect decides. Links open them always; the sidebar lists them when Advanced is on. */
export const ADVANCED_PAGES = ['lab', 'graph', 'utility'] as const;
/** The set-up has no place in the sidebar: it is shown once, and opened again from Settings or the palette. */
export const PAGES = [...MAIN_PAGES, ...ADVANCED_PAGES, 'welcome'] as const;
export type Page = (typeof PAGES)[number];

/** Addresses of earlier versions, and where their content is now. */
const MOVED: Readonly<Record<string, Route>> = {
  health: { page: 'settings', id: null, query: { tab: 'status' } },
};

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
  const [page = '', id] = path.split('/');
  const moved = MOVED[page];
  if (moved) return moved;
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
