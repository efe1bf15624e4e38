import { describe, expect, test } from 'vitest';
import { type Import, importGraph, importsIn, sourceFiles } from '../.config/imports.ts';

/** The groups of files that import each other in a circle: Tarjan's strongly connected components, larger than one. */
function cycles(graph: Map<string, Import[]>): string[][] {
  const found: string[][] = [];
  const stack: string[] = [];
  const order = new Map<string, number>();

  function visit(file: string): number {
    const index = order.size;
    order.set(file, index);
    stack.push(file);
    let low = index;
    for (const { target } of graph.get(file) ?? []) {
      if (!graph.has(target)) continue;
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (stack.includes(target)) low = Math.min(low, order.get(target) ?? index);
    }
    if (low === index) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1 || graph.get(file)?.some(({ target }) => target === file))
        found.push(group.sort());
    }
    return low;
  }

  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return found;
}

const graphOf = (sources: Record<string, string>) =>
  new Map(Object.entries(sources).map(([file, source]) => [file, importsIn(file, source)] as const));

describe('imports', () => {
  test('never run in a circle, not even for types', () => {
    const found = cycles(importGraph(sourceFiles('daemon', 'app', 'models', 'renderer', 'e2e')));
    expect(found).toEqual([]);
  });

  test.each([
    ['a type import', `import type { A } from './a.ts';`],
    ['an import over several lines', `import {\n  one,\n  two,\n} from './a.ts';`],
    ['a re-export', `export { one } from './a.ts';`],
    ['a dynamic import', `const a = await import('./a.ts');`],
    ['a worker started by its address', `new Worker(new URL('./a.ts', import.meta.url));`],
  ])('are seen to run in a circle through %s', (_, back) => {
    expect(cycles(graphOf({ 'x/a.ts': `import './b.ts';`, 'x/b.ts': back }))).toEqual([['x/a.ts', 'x/b.ts']]);
  });

  test('of a file by two others are no circle', () => {
    expect(
      cycles(
        graphOf({ 'a.ts': `import './b.ts';\nimport './c.ts';`, 'b.ts': `import './c.ts';`, 'c.ts': '' }),
      ),
    ).toEqual([]);
  });
});
