import { expect } from '@playwright/test';
import { sharedTest as test } from './fixtures.ts';

test('the graph layout runs in a worker, which the content policy allows', async ({ desktop }) => {
  await desktop.main.evaluate(() => (location.hash = '#/graph'));
  await expect(desktop.main.getByRole('application')).toHaveAttribute('aria-busy', 'false');
  await expect(desktop.main.getByRole('application')).toHaveAccessibleName(/Graph of \d+ names/);
});
