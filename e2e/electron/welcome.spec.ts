import { expect } from '@playwright/test';
import { existsSync, readFileSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { openDesktop } from '../desktop.ts';
import { beCorrected, processesOf } from '../world.ts';
import { test } from './fixtures.ts';

test.use({ bare: true, demo: false });

/** When a file was last read that nobody has read. */
const NEVER = new Date('2001-01-01');

test('the first start leads from an empty home to the first lesson, and reads nothing before the person agrees', async ({
  world,
  transcript,
}) => {
  transcript.age = 7 * 86_400_000;
  beCorrected(transcript);
  utimesSync(transcript.file, NEVER, statSync(transcript.file).mtime);
  let desktop = await openDesktop(world);
  const page = desktop.main;
  const next = page.getByRole('button', { name: 'Continue' });
  const step = (name: string) => page.getByRole('list', { name: 'Steps' }).getByRole('button', { name });

  await expect(page.getByRole('heading', { name: 'Set up Reflect' })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: /^Claude Code$/ })).toBeVisible();
  await step('Lessons').click();
  await page.getByRole('button', { name: 'See what Reflect reads' }).click();
  await expect(page.getByText('~/.claude/projects')).toBeVisible();
  await expect(page.getByText('Reflect reads nothing until you agree.')).toBeVisible();
  expect(await desktop.send('status', {})).toMatchObject({ value: { agreed: false, capture: 'off' } });
  expect(statSync(transcript.file).atime, 'the transcript was not opened').toEqual(NEVER);

  await page.getByRole('button', { name: 'Start reading' }).click();
  const settings = path.join(world.agentsHome, '.claude', 'settings.json');
  await page.getByRole('button', { name: 'Connect Claude Code' }).click();
  const preview = page.getByRole('dialog', { name: 'Connect Claude Code' });
  await expect(preview).toContainText('"SessionStart"');
  expect(existsSync(settings), 'a preview writes nothing').toBe(false);
  await preview.getByRole('button', { name: 'Connect' }).click();
  await expect(page.getByRole('button', { name: 'Disconnect Claude Code' })).toBeVisible();
  expect(readFileSync(settings, 'utf8')).toContain('SessionStart');

  await next.click();
  await expect(page.getByRole('radio', { name: 'Reflect itself, without a model' })).toBeChecked();
  await next.click();
  const lesson = page.getByRole('listitem').filter({ hasText: 'pnpm' }).first();
  await lesson.getByRole('button', { name: 'Keep' }).click();
  await expect(page.getByText('Kept as a learning.')).toBeVisible();
  await page.keyboard.press('z');
  await expect(lesson).toBeVisible();
  await lesson.getByRole('button', { name: 'Keep' }).click();
  await next.click();
  await expect(page.getByText('Shift Space')).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('option', { name: 'Always use pnpm' })).toBeVisible();

  await desktop.quit();
  await expect.poll(() => processesOf(world)).toEqual([]);
  desktop = await openDesktop(world);
  await expect(desktop.main.getByRole('option', { name: 'Always use pnpm' })).toBeVisible();
  await desktop.quit();
});
