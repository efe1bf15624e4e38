import type { Call } from '#contract/methods.ts';
import { accessibilityProblems, expect, test } from '../fixtures.ts';

const DAY = 86_400_000; // ms

async function write(call: Call): Promise<void> {
  const now = Date.now();
  await call('learnings.create', {
    note: {
      title: 'Give every gRPC call of checkout a deadline',
      scope: 'global',
      entities: [
        { name: 'checkout', type: 'tool' },
        { name: 'gRPC', type: 'technology' },
        { name: 'worker stall', type: 'error' },
      ],
      relations: [
        { source: 'checkout', type: 'uses', target: 'gRPC', validFrom: now - 90 * DAY },
        {
          source: 'gRPC',
          type: 'causes',
          target: 'worker stall',
          description: 'Without a deadline',
          validFrom: now - 90 * DAY,
          validTo: now - 30 * DAY,
        },
      ],
    },
  });
}

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

test('edges have the colour of their kind, also with reduced motion', async ({ page, openUi, call }) => {
  await write(call);
  await openUi(page, '#/graph');
  await expect(page.getByRole('application')).toHaveAttribute('aria-busy', 'false');
  // "Built on" edges have a blue that no text and no node has.
  const isColoured = () =>
    page.locator('main canvas').evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {
        data: [],
      };
      for (let at = 0; at < data.length; at += 4)
        if ((data[at + 3] ?? 0) > 60 && (data[at + 2] ?? 0) - (data[at] ?? 0) > 60) return true;
      return false;
    });
  await expect.poll(isColoured).toBe(true);
});

test('the keyboard leads from a name to its note', async ({ page, openUi, call }) => {
  await write(call);
  await openUi(page, '#/graph');
  const picture = page.getByRole('application');
  await expect(picture).toHaveAccessibleName(/3 names and 1 relation/);
  await expect(picture).toHaveAttribute('aria-busy', 'false');

  await page.keyboard.press('/');
  await page.keyboard.type('checkout');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: 'Name and its relations' });
  await expect(panel.getByRole('heading', { name: 'checkout' })).toBeVisible();
  // Keys walk the graph again: the field has let go of them.
  await page.keyboard.press('t');
  await expect(page.getByRole('listbox', { name: 'Names' })).toBeVisible();
  await panel.getByRole('button', { name: 'gRPC' }).click();
  await expect(panel.getByRole('heading', { name: 'gRPC' })).toBeVisible();
  await expect(panel).toContainText('Without a deadline');
  await panel.getByRole('link', { name: 'Give every gRPC call' }).click();
  await expect(
    page.getByRole('heading', { name: 'Give every gRPC call of checkout a deadline' }),
  ).toBeVisible();
});

test('an arrow key selects a neighbour, and Enter opens it', async ({ page, openUi, call }) => {
  await write(call);
  await openUi(page, '#/graph');
  await expect(page.getByRole('application')).toHaveAttribute('aria-busy', 'false');
  const said = page.locator('[aria-live=polite]').last();
  await page.keyboard.press('ArrowRight');
  await expect(said).toContainText(/, 1 neighbour$/);
  const first = (await said.textContent()) ?? '';
  // The layout decides where the neighbour is; one of the four arrows leads there.
  for (const arrow of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']) {
    if ((await said.textContent()) === first) await page.keyboard.press(arrow);
  }
  await expect(said).not.toHaveText(first);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Name and its relations' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Name and its relations' })).toBeHidden();
});

test('the slider shows the graph as of that day', async ({ page, openUi, call }) => {
  await write(call);
  await openUi(page, '#/graph');
  await expect(page.getByText('3 names · 1 relation')).toBeVisible();
  await page.getByRole('slider', { name: 'As of' }).fill('250');
  await expect(page.getByText('3 names · 2 relations')).toBeVisible();
  await page.getByRole('slider', { name: 'As of' }).press('End');
  await expect(page.getByText('3 names · 1 relation')).toBeVisible();
});

test('the table shows the same names, has filters and is accessible', async ({ page, openUi, call }) => {
  await write(call);
  await openUi(page, '#/graph');
  await expect(page.getByRole('application')).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('t');
  const rows = page.getByRole('listbox', { name: 'Names' }).getByRole('option');
  await expect(rows).toHaveCount(3);
  await rows.filter({ hasText: 'gRPC' }).click();
  await expect(page.getByRole('region', { name: 'Name and its relations' })).toContainText('checkout');
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.getByLabel('Kind').selectOption('error');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('worker stall');
});

test('new names appear by themselves', async ({ page, openUi, call }) => {
  await openUi(page, '#/graph');
  await expect(page.getByText('No names yet')).toBeVisible();
  await write(call);
  await expect(page.getByText('3 names · 1 relation')).toBeVisible();
});
