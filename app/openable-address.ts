const OPENABLE = new Set(['http:', 'https:', 'mailto:']);

/** The address as a browser or mail program may get it; undefined for anything that could start something else. */
export function openableAddress(address: string): string | undefined {
  const url = URL.parse(address);
  return url !== null && OPENABLE.has(url.protocol) ? url.href : undefined;
}
