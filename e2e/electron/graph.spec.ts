import { expect } from '@playwright/test';
import { sharedTest as test } from './fixtures.ts';

test('the graph finds its places in a thread of its own, which the policy of our pages allows', async ({
  desktop,
}) => {
  await desktop.main.getByRole('link', { name: 'Graph' }).click();
  await expect(desktop.main.getByRole('application')).toHaveAttribute('aria-busy', 'false');
  await expect(desktop.main.getByRole('application')).toHaveAccessibleName(/Graph of \d+ names/);
});
