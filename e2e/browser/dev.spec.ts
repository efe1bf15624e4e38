import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { ROOT } from '../../app/setup.mjs';
import { expect, test } from '../fixtures.ts';

type Command = ChildProcessByStdio<null, Readable, null>;

function launch(args: string[], env: NodeJS.ProcessEnv): Command {
  const [script = '', ...flags] = args;
  return spawn(process.execPath, [path.join(ROOT, 'app', script), ...flags], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** The first address that a command prints. */
async function addressOf({ stdout }: Command): Promise<string> {
  for await (const line of createInterface({ input: stdout })) {
    const [address] = /http:\S+/.exec(line) ?? [];
    if (address) return address;
  }
  throw new Error('no address was printed');
}

async function end(command: Command): Promise<void> {
  command.kill('SIGTERM');
  await once(command, 'exit');
}

test('npm start -- --demo opens in a browser where there is no display, and leaves nothing behind', async ({
  browser,
  world,
}) => {
  const env = { ...world.env, DISPLAY: '', WAYLAND_DISPLAY: '', TMPDIR: world.agentsHome };
  const start = launch(['start.mjs', '--demo'], env);
  try {
    const page = await browser.newPage();
    await page.goto(await addressOf(start));
    await page.getByRole('navigation').getByRole('link', { name: 'Learnings' }).click();
    await expect(page.getByRole('listbox', { name: 'Learnings' }).getByRole('option').first()).toBeVisible();
    await page.close();
  } finally {
    await end(start);
  }
  expect(readdirSync(world.agentsHome).filter((name) => name.startsWith('reflect'))).toEqual([]);
});

test('npm run dev serves the sources with the running daemon to a browser that has the key', async ({
  page,
  browser,
  world,
  call,
}) => {
  test.slow(); // Vite compiles every source on the first visit
  const dev = launch(['dev.ts'], { ...world.env, PORT: '0' });
  try {
    const address = await addressOf(dev);
    await page.goto(address);
    expect(page.url()).not.toContain('key=');
    await expect(page.getByText('Nothing learned yet')).toBeVisible({ timeout: 60_000 });
    await call('learnings.create', { note: { title: 'Use pnpm here', rule: 'Yes.', scope: 'global' } });
    await expect(page.getByRole('option', { name: /Use pnpm here/ })).toBeVisible();

    const stranger = await browser.newContext();
    const refused = await stranger.newPage();
    await refused.goto(new URL('/', address).href);
    await expect(refused.getByRole('contentinfo', { name: 'Status' })).toContainText(
      'The daemon does not respond',
      { timeout: 30_000 },
    );
    await stranger.close();
    await page.goto('about:blank'); // else the page complains that its server is gone
  } finally {
    await end(dev);
  }
});
