import { DaemonError } from '#contract/errors.ts';
import { METHODS } from '#contract/methods.ts';

/** Names the methods of the namespace that was meant, or the namespaces: there are too many methods to list. */
export function unknownMethod(method: string): DaemonError {
  const all = Object.keys(METHODS);
  const beside = all.filter((name) => name.startsWith(`${method.split('.')[0]}.`));
  const namespaces = [...new Set(all.filter((name) => name.includes('.')).map((name) => name.split('.')[0]))];
  const known =
    beside.length > 0 ? `choose from ${beside.join(', ')}` : `methods of ${namespaces.join(', ')}`;
  return new DaemonError('unknown-method', `${method}; ${known}; \`reflect schema\` describes all`);
}
