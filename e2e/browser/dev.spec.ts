import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../../app/setup.mjs';
import { expect, test } from '../fixtures.ts';

test('npm run dev serves the sources with the running daemon to a browser that has the key', async ({
  page,
  browser,
  world,
  call,
}) => {
  test.slow(); // Vite compiles every source on the first visit
  const dev = spawn(process.execPath, [path.join(ROOT, 'app', 'dev.ts')], {
    env: { ...world.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let address = '';
    for await (const line of createInterface({ input: dev.stdout })) {
      address = /^Open (\S+)/.exec(line)?.[1] ?? '';
      if (address) break;
    }
    await page.goto(address);
    expect(page.url()).not.toContain('key=');
    await expect(page.getByText('Nothing learned yet')).toBeVisible({ timeout: 60_000 });
    await call('learnings.create', { note: { title: 'Use pnpm here', rule: 'Yes.', scope: 'global' } });
    await expect(page.getByRole('option', { name: /Use pnpm here/ })).toBeVisible();

    const stranger = await browser.newContext();
    const refused = await stranger.newPage();
    await refused.goto(new URL('/', address).href);
    await expect(refused.getByRole('contentinfo', { name: 'Status' })).toContainText(
      'The daemon does not answer',
      { timeout: 30_000 },
    );
    await stranger.close();
    await page.goto('about:blank'); // else the page complains that its server is gone
  } finally {
    dev.kill('SIGTERM');
    await once(dev, 'exit');
  }
});
