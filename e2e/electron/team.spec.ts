import { expect } from '@playwright/test';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Desktop } from '../desktop.ts';
import { sharedTest as test } from './fixtures.ts';

/** Answers for the person in front of the system's dialogs, which no test can click; what they were asked is kept. */
async function answerDialogs({ app }: Desktop, file: string | null): Promise<() => Promise<object[]>> {
  await app.evaluate(({ dialog }, chosen) => {
    const asked: object[] = [];
    const answer = (...args: unknown[]) => {
      asked.push(args.at(-1) as object);
      return Promise.resolve({
        canceled: chosen === null,
        filePath: chosen ?? '',
        filePaths: chosen === null ? [] : [chosen],
      });
    };
    Object.assign(dialog, { showSaveDialog: answer, showOpenDialog: answer, asked });
  }, file);
  return () => app.evaluate(({ dialog }) => (dialog as unknown as { asked: object[] }).asked);
}

test('an export goes to the file chosen in the system dialog and replaces it', async ({ desktop, world }) => {
  const file = path.join(world.repository, 'team.tar');
  await desktop.send('archive.export', { path: file }); // an older one
  const asked = await answerDialogs(desktop, file);
  await desktop.main.getByRole('link', { name: 'Team' }).click();
  await desktop.main.getByRole('button', { name: 'Choose…' }).click();
  await expect(desktop.main.getByRole('textbox', { name: /File path/ })).toHaveValue(file);
  await desktop.main.getByRole('button', { name: 'Export' }).click();
  await expect(desktop.main.getByRole('region', { name: 'Exported' })).toContainText(file);
  expect(await asked()).toMatchObject([
    {
      defaultPath: expect.stringMatching(/reflect-\d{4}-\d\d-\d\d\.tar$/),
      filters: [{ extensions: ['tar'] }],
    },
  ]);
});

test('a file chosen in the system dialog is previewed at once', async ({ desktop, world }) => {
  const file = path.join(world.repository, 'import.tar');
  await desktop.send('archive.export', { path: file });
  expect(existsSync(file)).toBe(true);
  await answerDialogs(desktop, file);
  await desktop.main.getByRole('link', { name: 'Team' }).click();
  await desktop.main.getByRole('tab', { name: 'Import' }).click();
  await desktop.main.getByRole('button', { name: 'Choose…' }).click();
  await expect(desktop.main.getByText(/^The file holds \d+ notes/)).toBeVisible();
});

test('cancelling the dialog changes nothing', async ({ desktop }) => {
  await answerDialogs(desktop, null);
  await desktop.main.getByRole('link', { name: 'Team' }).click();
  const field = desktop.main.getByRole('textbox', { name: /File path/ });
  await expect(field).toHaveValue(/\.tar$/);
  const before = await field.inputValue();
  await desktop.main.getByRole('button', { name: 'Choose…' }).click();
  await expect(field).toHaveValue(before);
});
