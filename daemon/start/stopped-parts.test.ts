import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sourceFiles } from '../../.config/imports.ts';

const sources = (folder: string) =>
  sourceFiles(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => ({ file, source: readFileSync(file, 'utf8') }));

/** Everything that makes a part with a `stop` of its own: classes, and functions that return a task. */
const MAKERS = new Set(
  sources('daemon')
    .flatMap(({ source }) => [
      ...(/^  (?:async )?stop\(\)/m.test(source) ? source.matchAll(/^export class (\w+)/gm) : []),
      ...source.matchAll(/^export function (create\w+)\([^)]*\): BackgroundTask/gm),
    ])
    .map(([, name = '']) => name),
);

/** Parts that a source makes and nobody stops. Those that it returns together as tasks are stopped in a loop. */
function forgottenIn(source: string): string[] {
  const made = [...source.matchAll(/const (\w+) = (?:new )?(\w+)(?:<\w+>)?\(/g)];
  return made
    .filter(([, , maker = '']) => MAKERS.has(maker))
    .map(([, name = '']) => name)
    .filter((name) => !source.includes(`${name}.stop()`))
    .filter(
      (name) =>
        !(
          new RegExp(`return \\{[\\w, ]*\\b${name}\\b[\\w, ]*\\}`).test(source) &&
          source.includes('task.stop()')
        ),
    );
}

test.each(sources('daemon/start'))('$file stops every part that it makes', ({ source }) => {
  expect(forgottenIn(source)).toEqual([]);
});

test('a part that is made and not stopped is noticed', () => {
  expect(MAKERS).toContain('CommitFollower');
  expect(MAKERS).toContain('createRetractor');
  const kept = `const a = new Upkeep({});\nrunning.add('a', () => a.stop());`;
  expect(forgottenIn(`${kept}\nconst commits = new CommitFollower({ store });`)).toEqual(['commits']);
});
