import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Call } from '#contract/methods.ts';
import { accessibilityProblems, expect, test } from '../fixtures.ts';
import { TOPICS } from '../topics.ts';
import { hasEmbedder } from '../world.ts';

/** Twenty learnings, and twenty that say nearly the same: as many questions. */
async function askTwenty(call: Call): Promise<void> {
  await call('config.set', { name: 'REFLECT_DEDUP_THRESHOLD', value: 0.7 });
  for (const topic of TOPICS)
    await call('learnings.create', {
      note: { title: `Always run ${topic}`, rule: `Run ${topic}.`, tags: ['known'], scope: 'global' },
    });
  await expect
    .poll(async () => (await call('status', {})).index, { timeout: 60_000 })
    .toMatchObject({ state: 'ready', waiting: 0 });
  await call('knowledge.revise', {
    actions: TOPICS.map((topic) => ({
      action: 'CREATE',
      reason: 'said again',
      note: {
        title: `Remember to start ${topic} every single time`,
        rule: `Nobody forgets to start ${topic}.`,
        fix: 'As it says.',
        tags: ['fresh'],
        scope: 'global' as const,
      },
    })),
  });
}

const wanted = (call: Call) => expect.poll(async () => (await call('merges.list', {})).length);

test('twenty duplicates are merged by keyboard, and undo reverts a whole answer', async ({
  page,
  openUi,
  call,
}) => {
  test.slow();
  test.skip(
    !hasEmbedder(await call('status', {})),
    'without an embedder nothing is known to say nearly the same',
  );
  await askTwenty(call);
  await wanted(call).toBe(TOPICS.length);
  await openUi(page, '#/inbox');
  const rows = page.getByRole('listbox', { name: 'Decisions' }).getByRole('option');
  await expect(rows).toHaveCount(TOPICS.length);

  await test.step('the title of the new one, both rules, an edited fix: the first is merged as chosen', async () => {
    const [question] = await call('merges.list', {});
    await page.keyboard.press('2');
    await page.keyboard.press('3');
    await page.keyboard.press('e');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('As it says, by hand.');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await expect(rows).toHaveCount(TOPICS.length - 1);
    await wanted(call).toBe(TOPICS.length - 1);
    const merged = await call('learnings.get', { id: question?.existing.id ?? '' });
    expect(merged).toMatchObject({
      title: question?.incoming.title,
      fix: 'As it says, by hand.',
      tags: ['known', 'fresh'],
    });
    expect(merged.rule).toBe(`${question?.existing.rule}\n\n${question?.incoming.rule}`);
    expect(await call('learnings.get', { id: question?.incoming.id ?? '' })).toMatchObject({
      status: 'superseded',
      supersededBy: merged.id,
    });

    await page.keyboard.press('z');
    await expect(rows).toHaveCount(TOPICS.length);
    await expect(rows.first()).toHaveAttribute('aria-selected', 'true');
    expect(await call('learnings.get', { id: merged.id })).toMatchObject({
      title: question?.existing.title,
      rule: question?.existing.rule,
      tags: ['known'],
    });
    expect(await call('learnings.get', { id: question?.incoming.id ?? '' })).toMatchObject({
      status: 'proposed',
      supersededBy: null,
    });
  });

  await test.step('the rest as fast as the keys come', async () => {
    for (let index = 0; index < TOPICS.length; index++)
      await page.keyboard.press(['Enter', 'b', 'd', 'r'][index % 4] ?? 'Enter');
    await expect(page.getByText('All caught up')).toBeVisible();
    await wanted(call).toBe(0);
    const count = async (status: 'active' | 'superseded' | 'rejected') =>
      (await call('learnings.list', { status, limit: 1 })).total;
    expect({
      active: await count('active'),
      superseded: await count('superseded'),
      rejected: await count('rejected'),
    }).toEqual({ active: 25, superseded: 10, rejected: 5 });
  });
});

test('unconfirmed, incomplete and proposed notes are kept or dropped by one key, with undo', async ({
  page,
  openUi,
  call,
}) => {
  const make = async (note: Parameters<typeof call<'learnings.create'>>[1]['note']) =>
    (await call('learnings.create', { note: { scope: 'global', ...note } })).learning.id;
  const guess = await make({ title: 'The cache is probably warm', speculative: true });
  const unchecked = await make({ title: 'A note without its file', validated: false });
  const principle = await make({ title: 'Prefer plain tools', type: 'principle', status: 'proposed' });
  await openUi(page, '#/inbox');
  const rows = page.getByRole('listbox', { name: 'Decisions' }).getByRole('option');
  await expect(rows).toHaveText([
    /Prefer plain tools/,
    /The cache is probably warm/,
    /A note without its file/,
  ]);
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.keyboard.press('Enter');
  await expect.poll(async () => (await call('learnings.get', { id: principle })).status).toBe('active');
  await page.keyboard.press('a');
  await expect.poll(async () => (await call('learnings.get', { id: guess })).status).toBe('archived');
  await page.keyboard.press('z');
  await expect
    .poll(() => call('learnings.get', { id: guess }))
    .toMatchObject({ status: 'active', speculative: true });
  await expect(rows).toHaveCount(2);
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await call('learnings.get', { id: guess })).speculative).toBe(false);
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await call('learnings.get', { id: unchecked })).validated).toBe(true);
  await expect(page.getByText('All caught up')).toBeVisible();
});

test('an outdated skill waits in the Inbox, and the sidebar shows the same count as the list', async ({
  page,
  openUi,
  call,
  world,
}) => {
  const folder = path.join(world.agentsHome, '.claude', 'skills', 'grpc');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, 'SKILL.md'),
    '---\nname: grpc\ndescription: How to regenerate grpc clients\ntags: [grpc]\n---\n\nRun make.\n',
  );
  await call('skills.refresh', {});
  await call('learnings.create', {
    note: { title: 'Regenerate the grpc clients after each edit', scope: 'global' },
  });
  await call('learnings.create', {
    note: { title: 'The cache is probably warm', speculative: true, scope: 'global' },
  });
  await openUi(page, '#/inbox');
  const rows = page.getByRole('listbox', { name: 'Decisions' }).getByRole('option');
  const counted = page.getByRole('navigation').getByRole('link', { name: /Inbox/ });
  await expect(rows).toHaveCount(2);
  await expect(counted).toHaveText(/2$/);

  await page.getByRole('option', { name: /grpc/ }).click();
  await expect(page).toHaveURL(/#\/inbox\/skill-/);
  await expect(
    page
      .getByRole('region', { name: 'Decision' })
      .getByRole('link', { name: 'Regenerate the grpc clients after each edit' }),
  ).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(1);
  await expect(counted).toHaveText(/1$/);
  await page.keyboard.press('z');
  await expect(rows).toHaveCount(2);
  await expect(counted).toHaveText(/2$/);
});

test.describe('with the demo', () => {
  test.use({ demo: true });

  test('a contradiction is resolved by one key, with undo', async ({ page, openUi, call }) => {
    test.slow();
    const contradictions = async () =>
      (await call('merges.list', {})).filter(({ kind }) => kind === 'contradiction');
    test.skip(!hasEmbedder(await call('status', {})), 'without an embedder no contradiction is seen');
    await expect.poll(async () => (await contradictions()).length, { timeout: 90_000 }).toBeGreaterThan(0);
    await openUi(page, '#/inbox');
    const group = page.getByRole('group', { name: /Possible contradictions/ }).getByRole('option');
    await expect(group).toHaveCount((await contradictions()).length);
    await group.first().click();
    const [question] = await contradictions();
    await expect(page.getByRole('button', { name: /The new one/ })).toBeVisible();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('r');
    await expect
      .poll(async () => (await call('learnings.get', { id: question?.existing.id ?? '' })).status)
      .toBe('superseded');
    await page.keyboard.press('z');
    await expect
      .poll(async () => (await call('learnings.get', { id: question?.existing.id ?? '' })).status)
      .toBe(question?.existing.status);
  });

  test('an unanswered question is answered in the Inbox', async ({ page, openUi, call }) => {
    const [gap] = await call('gaps.list', {});
    if (!gap) throw new Error('the demo has no gap');
    await openUi(page, '#/inbox');
    await page.getByRole('option', { name: gap.query }).click();
    await page.keyboard.press('n');
    await expect(page.getByRole('textbox', { name: 'Answer' })).toBeFocused();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Answer' }).focus();
    await page.keyboard.type('Limit by the key that is sent, not by the address.');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(page.getByRole('option', { name: gap.query })).toHaveCount(0);
    await expect
      .poll(async () => (await call('learnings.list', { text: 'Limit by the key that is sent' })).items)
      .toMatchObject([{ project: gap.project, status: 'active' }]);
    await expect
      .poll(async () => (await call('gaps.list', {})).map(({ query }) => query))
      .not.toContain(gap.query);
  });
});
