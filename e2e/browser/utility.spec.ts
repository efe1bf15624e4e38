import type { Call } from '#contract/methods.ts';
import { accessibilityProblems, expect, test } from '../fixtures.ts';

async function judge(call: Call): Promise<string> {
  const { learning } = await call('learnings.create', {
    note: { title: 'Use pnpm, never npm', rule: 'Install with pnpm.', scope: 'global' },
  });
  for (const result of ['pass', 'pass', 'fail'] as const) {
    const feedback = result === 'fail' ? 'The lock file was of another version.' : '';
    await call('traces.create', {
      task: 'Install the packages',
      retrievedMemoryIds: [learning.id],
      review: { result, feedback },
    });
  }
  return learning.id;
}

test('a learning shows its reviews with reasons and links to the note', async ({ page, openUi, call }) => {
  const id = await judge(call);
  await openUi(page, '#/utility');
  const row = page
    .getByRole('listbox', { name: 'Learnings by latest review' })
    .getByRole('option', { name: /Use pnpm/ });
  await expect(row).toContainText('helped 2×, didn’t help 1×');
  await row.click();
  const detail = page.getByRole('region', { name: 'Reviews' });
  await expect(detail.getByRole('img', { name: /Utility over 3 reviews/ })).toBeVisible();
  await expect(detail.getByRole('listitem')).toHaveCount(3);
  await expect(detail.getByRole('listitem').first()).toContainText('didn’t help');
  await detail.getByRole('listitem').first().getByRole('button', { name: 'Undo' }).click();
  await expect(row).toContainText('helped 2× ·');
  await expect(detail.getByRole('listitem').first()).toContainText('undone');
  await expect
    .poll(async () => (await call('learnings.get', { id })).signals.qValue.toFixed(3))
    .toBe('0.755');
  expect(await accessibilityProblems(page)).toEqual([]);
  await detail.getByRole('button', { name: 'Redo' }).click();
  await expect(row).toContainText('helped 2×, didn’t help 1×');
  await row.click();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`#/learnings/${id}`));
});

test('an experience is rated by a key, and marked as no longer true with undo', async ({
  page,
  openUi,
  call,
}) => {
  await call('experience.add', {
    task: 'Upgrade the payment library',
    outcome: 'failed',
    lessons: 'Read the upgrade notes first.',
    category: 'dependency',
  });
  await openUi(page, '#/utility');
  await page.getByRole('tab', { name: /Experiences/ }).click();
  const detail = page.getByRole('region', { name: 'Experiences' });
  await expect(detail).toContainText('Read the upgrade notes first.');
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('y');
  await expect(detail).toContainText('used 1 time, helped 1 time');
  await page.keyboard.press('d');
  await expect(detail).toContainText('no longer true ·');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(async () => (await call('experience.list', {}))[0]?.deprecated).toBe(false);
});

test('a loop shows its learning curve and why attempts failed', async ({ page, openUi, call }) => {
  const { id } = await call('loops.start', {
    task: 'Make the rounding test pass',
    verificationType: 'unit_tests',
  });
  const attempt = (passed: boolean, reward_signal: number) => ({
    loop_id: id,
    actor_output: { actions: [], rationale: 'Round per line' },
    evaluator_output: {
      passed,
      verification_type: 'unit_tests' as const,
      reward_signal,
      errors: passed ? [] : [{ type: 'test_failure' as const, message: 'off by one cent' }],
    },
  });
  await call('reflections.append', {
    ...attempt(false, 0.3),
    self_reflection: { reflection_text: 'I rounded the sum, and the rule is to round each line first.' },
  });
  await call('reflections.append', attempt(true, 1));

  await openUi(page, '#/utility');
  await page.getByRole('tab', { name: /Loops/ }).click();
  const detail = page.getByRole('region', { name: 'Loops' });
  await expect(detail.getByRole('img', { name: 'Reward over 2 attempts, last 1.00' })).toBeVisible();
  await expect(detail).toContainText('passed at attempt 2');
  await expect(detail).toContainText('I rounded the sum');
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('each empty tab says where its entries come from', async ({ page, openUi }) => {
  await openUi(page, '#/utility');
  await expect(page.getByText('No reviews yet')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText('No experience yet')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText('No loop yet')).toBeVisible();
});
