import { type Method, METHODS } from './methods.ts';
import { methodSchemas } from './openrpc.ts';
import { isStable } from './protocol.ts';

/** The fields a client of one method relies on, as sorted paths such as `hits[].learning.title`. */
export interface Surface {
  needs: string[];
  takes: string[];
  gives: string[];
}

interface Node {
  properties?: Record<string, Node>;
  required?: string[];
  items?: Node;
  anyOf?: Node[];
  oneOf?: Node[];
}

/** The promise of the protocol: every stable method with its fields. */
export function stableSurface(): Record<string, Surface> {
  const stable = (Object.keys(METHODS) as Method[]).filter(isStable).toSorted();
  return Object.fromEntries(stable.map((name) => [name, surfaceOf(name)]));
}

function surfaceOf(name: Method): Surface {
  const { input, output } = methodSchemas(name) as { input: Node; output: Node };
  const inputs = input.anyOf ?? input.oneOf ?? [input];
  const takes = sorted(inputs.flatMap(({ properties = {} }) => Object.keys(properties)));
  return {
    needs: takes.filter((field) => inputs.every(({ required = [] }) => required.includes(field))),
    takes,
    gives: sorted(fieldsIn(output)),
  };
}

function fieldsIn({ properties = {}, items, anyOf = [], oneOf = [] }: Node, path = ''): string[] {
  return [
    ...Object.entries(properties).flatMap(([name, field]) => {
      const at = path === '' ? name : `${path}.${name}`;
      return [at, ...fieldsIn(field, at)];
    }),
    ...(items ? fieldsIn(items, `${path}[]`) : []),
    ...[...anyOf, ...oneOf].flatMap((option) => fieldsIn(option, path)),
  ];
}

const sorted = (names: string[]): string[] => [...new Set(names)].toSorted();
