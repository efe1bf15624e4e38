import { expect, test } from 'vitest';
import { Afterwards } from './afterwards.ts';

test('what waits is done together, in order, and one that fails keeps none of the others from it', () => {
  const [done, failed]: [string[], unknown[]] = [[], []];
  const afterwards = new Afterwards({
    onError: (error) => failed.push(error),
    together: (work) => {
      done.push('begin');
      work();
      done.push('commit');
    },
  });
  afterwards.add(() => done.push('alone'));
  afterwards.finish();
  afterwards.add(() => done.push('first'));
  afterwards.add(() => {
    throw new Error('no');
  });
  afterwards.add(() => done.push('last'));
  afterwards.finish();
  afterwards.finish();
  expect(done).toEqual(['alone', 'begin', 'first', 'last', 'commit']);
  expect(failed).toHaveLength(1);
});
