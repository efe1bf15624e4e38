import { expect, test } from 'vitest';
import { reasonsFor } from './kept-because.ts';

test('reasons that name who did it stand apart from what the text does', () => {
  expect(reasonsFor('it', ['the agent understood', 'refuses', 'forbids something'])).toBe(
    'it refuses, forbids something; the agent understood',
  );
  expect(reasonsFor('it', ['the agent gave in'])).toBe('the agent gave in');
});
