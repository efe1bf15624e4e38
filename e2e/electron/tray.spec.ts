import { expect } from '@playwright/test';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { DaemonStatus } from '#contract/status.ts';
import { ROOT } from '../../app/setup.mjs';
import { run } from '../../app/terminal.mjs';
import { type Desktop, openDesktop } from '../desktop.ts';
import { TOPICS } from '../topics.ts';
import { beCorrected, hasEmbedder, reflect, TranscriptWriter, type World } from '../world.ts';
import { test as base } from './fixtures.ts';
import { type WatchedTray, watchTray } from './tray-watch.ts';

const test = base.extend<{ tray: WatchedTray }>({
  demo: false,
  tray: async ({ desktop }, use) => use(await trayOf(desktop)),
});

/** A change in the daemon redraws the tray, and from then on the watcher sees it. */
async function trayOf(desktop: Desktop): Promise<WatchedTray> {
  const tray = await watchTray(desktop.app, path.join(ROOT, 'dist', 'app', 'icons'));
  await expect.poll(async () => (await desktop.send('status', {})).ok).toBe(true);
  await desktop.send('learnings.create', {
    note: { title: 'Nothing of interest', rule: 'Nothing.', scope: 'global' },
  });
  await expect.poll(tray.labels).not.toEqual([]);
  return tray;
}

const status = async (desktop: Desktop): Promise<DaemonStatus> => {
  const reply = await desktop.send('status', {});
  if (!reply.ok) throw new Error(reply.code);
  return reply.value as DaemonStatus;
};

test('the tray shows the status and all its actions', async ({ tray }) => {
  await expect
    .poll(tray.labels)
    .toEqual([
      'Watching, 1 learning',
      'Open Reflect',
      'Quick search',
      'Nothing captured yet',
      'Pause capture',
      'Notify me about decisions',
      'Open at login',
      'Keep running after quit',
      'Install command line tool',
      'Quit Reflect',
    ]);
  await expect.poll(tray.state).toBe('idle');
});

test('Pause in the tray pauses capture, and Resume captures what was said meanwhile', async ({
  desktop,
  tray,
  world,
}) => {
  await tray.choose('Pause capture');
  await expect.poll(tray.labels).toContain('Resume capture');
  await expect.poll(tray.labels).toContain('Capture is paused');
  expect(await status(desktop)).toMatchObject({ capture: 'paused' });

  beCorrected(new TranscriptWriter(world));
  // Pausing again has the capture thread report what it found: the transcript is noticed and waits.
  const waits = async () => {
    await desktop.send('capture.pause', {});
    const { progress } = await status(desktop);
    return progress.filesDone < progress.filesTotal;
  };
  await expect.poll(waits, { timeout: 30_000 }).toBe(true);
  expect(await desktop.send('capture.moments', { limit: 5 })).toEqual({ ok: true, value: [] });

  await tray.choose('Resume capture');
  await expect.poll(tray.labels, { timeout: 30_000 }).toContain('Recent captures');
  const captured = (await tray.labels()).find((label) => label.includes("don't use npm"));
  await tray.choose(captured ?? 'the capture');
  await expect(desktop.main.getByRole('region', { name: 'Learning' })).toContainText('pnpm');
});

test('a new decision changes the icon and notifies once, not ten times for ten', async ({
  desktop,
  tray,
}) => {
  test.skip(
    !hasEmbedder(await status(desktop)),
    'without an embedder nothing is known to say nearly the same',
  );
  const topics = TOPICS.slice(0, 10);
  await desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().forEach((window) => window.hide()),
  );
  await desktop.send('config.set', { name: 'REFLECT_DEDUP_THRESHOLD', value: 0.7 });
  for (const topic of topics)
    await desktop.send('learnings.create', {
      note: { title: `Always run ${topic}`, rule: `Run ${topic}.`, scope: 'global' },
    });
  await expect
    .poll(async () => (await status(desktop)).index, { timeout: 30_000 })
    .toMatchObject({ state: 'ready', waiting: 0 });
  const ask = (topic: string) =>
    desktop.send('knowledge.revise', {
      actions: [
        {
          action: 'CREATE',
          reason: 'said again',
          note: {
            title: `Remember to start ${topic} every single time`,
            rule: `Nobody forgets to start ${topic}.`,
            scope: 'global',
          },
        },
      ],
    });

  const [first = '', ...others] = topics;
  await ask(first);
  await expect.poll(tray.state).toBe('attention');
  await expect.poll(tray.labels).toContain('Inbox (1)');
  await expect.poll(tray.notified).toEqual(['1 decision waiting for you']);

  for (const topic of others) await ask(topic);
  await expect.poll(tray.labels).toContain(`Inbox (${topics.length})`);
  expect(await tray.notified()).toHaveLength(1);

  await tray.choose(`Inbox (${topics.length})`);
  await expect(desktop.main.getByRole('listbox', { name: 'Decisions' })).toBeVisible();
});

test('Open Reflect and Quick search open their windows', async ({ desktop, tray }) => {
  await desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().forEach((window) => window.hide()),
  );
  await tray.choose('Open Reflect');
  await expect.poll(desktop.windows).toMatchObject([{ visible: true }]);
  await tray.choose('Quick search');
  await expect((await desktop.quickSearch()).getByRole('combobox')).toBeVisible();
});

test('menu switches are saved; Quit ends the app, and leaves the daemon running if told to', async ({
  desktop,
  tray,
  world,
}) => {
  await tray.choose('Notify me about decisions');
  await expect.poll(() => readPreferences(world)).toMatchObject({ notify: false, openAtLogin: false });
  await tray.choose('Keep running after quit');
  await expect.poll(() => readPreferences(world)).toMatchObject({ keepRunning: true });
  const ended = once(desktop.app.process(), 'exit'); // Playwright's own event waits for the daemon's output too
  await tray.choose('Quit Reflect');
  await ended;
  expect((await reflect(world, ['stop'])).stdout).toContain('Stopped.');
});

const readPreferences = ({ home }: World): object => {
  const file = path.join(home, 'app', 'shell.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {};
};

test('the tray installs the command line tool, and it works', async ({ world }) => {
  // A person's own folder for commands, or the machine's would be written to.
  const commands = path.join(world.agentsHome, '.local', 'bin');
  mkdirSync(commands, { recursive: true });
  const env = {
    ...world.env,
    HOME: world.agentsHome,
    PATH: [commands, '/usr/bin', '/bin'].join(path.delimiter),
  };
  const desktop = await openDesktop({ ...world, env });
  const tray = await trayOf(desktop);
  const said = desktop.app.evaluate(
    ({ dialog }) =>
      new Promise<string>((resolve) => {
        Object.assign(dialog, { showMessageBox: ({ detail }: { detail: string }) => resolve(detail) });
      }),
  );
  await tray.choose('Install command line tool');
  expect(await said).toBe(
    `You can now type \`reflect\` in any terminal (${path.join(commands, 'reflect')}).`,
  );
  const answer = await run(path.join(commands, 'reflect'), ['status', '--json'], { env });
  expect(JSON.parse(answer.output)).toMatchObject({ home: world.home, learnings: 1 });
  await desktop.quit();
});
