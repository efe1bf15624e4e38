import { expect, test } from 'vitest';
import { isOneOffRequest } from './candidates.ts';

test.each([
  ['as it is written now', { oneOffRequest: true }, true],
  ['under the name of earlier versions', { errand: true }, true],
  ['of a note that is none', { oneOffRequest: false }, false],
  ['of a note that was never judged', undefined, false],
  ['that a person broke by hand', { oneOffRequest: 'perhaps' }, false],
])('a one-off request is read from the verdict %s', (_, judged, expected) => {
  expect(isOneOffRequest({ metadata: judged === undefined ? {} : { judged } })).toBe(expected);
});
