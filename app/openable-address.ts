const OPENABLE = new Set(['http:', 'https:', 'mailto:']);

/**
 * The address as the system's browser or mail program may be given it; undefined for anything that could start
 * something else.
 */
export function openableAddress(address: string): string | undefined {
  const url = URL.parse(address);
  return url !== null && OPENABLE.has(url.protocol) ? url.href : undefined;
}
