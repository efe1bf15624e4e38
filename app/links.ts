/** The scheme of links into the app, which other programs and notes may hold. */
export const LINK_SCHEME = 'reflect';
const LONGEST = 2_000;

/**
 * The route of a link such as `reflect://learnings/some-id?q=words`; undefined for anything else. The page reads it as
 * it reads any address.
 */
export function routeOfLink(link: string): string | undefined {
  const url = link.length > LONGEST ? null : URL.parse(link);
  if (url?.protocol !== `${LINK_SCHEME}:` || !/^[a-z-]+$/.test(url.host) || url.username) return undefined;
  return `/${url.host}${url.pathname}${url.search}`;
}

/** The first link among the arguments of a start, as Linux and Windows pass it. */
export const routeIn = (argv: readonly string[]): string | undefined =>
  argv.map(routeOfLink).find((route) => route !== undefined);
