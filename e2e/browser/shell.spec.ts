import type { Page } from '@playwright/test';
import { accessibilityProblems, expect, test } from '../fixtures.ts';

const PAGES = {
  Inbox: 'i',
  Learnings: 'l',
  Sessions: 's',
  Pinned: 'p',
  Team: 't',
  Settings: ',',
  'Recall lab': 'r',
  Graph: 'g',
  Utility: 'u',
};
const MAIN = Object.keys(PAGES).slice(0, 6);
const ALL = Object.keys(PAGES);

const linksOf = (page: Page) => page.getByRole('navigation').getByRole('link');

async function showAdvanced(page: Page) {
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Commands' }).fill('?advanced');
  await page.keyboard.press('Enter');
  await expect(linksOf(page)).toContainText(ALL);
}

test('the address with a one-time code opens the UI, and a second use is refused', async ({
  page,
  call,
  browser,
}) => {
  const { url } = await call('ui.code', {});
  await page.goto(url);
  await expect(page.getByRole('navigation')).toBeVisible();
  // The code has done its work and must not stay in the history of the browser.
  expect(page.url()).not.toContain(new URL(url).search || 'code');

  const stranger = await browser.newContext();
  const refused = await (await stranger.newPage()).goto(url);
  expect(refused?.status()).toBeGreaterThanOrEqual(400);
  await stranger.close();
});

test('reflect ui --quick opens quick-search alone', async ({ page, call, cli }) => {
  await call('learnings.create', {
    note: { title: 'Use pnpm here', rule: 'Install with pnpm.', scope: 'global' },
  });
  const { stdout } = await cli('ui', '--print', '--quick');
  await page.goto(stdout.trim());
  await expect(page).toHaveURL(/quick-search\.html$/);
  await page.getByRole('combobox', { name: 'Quick search' }).fill('pnpm');
  await expect(page.getByRole('option').first()).toContainText('Use pnpm here');
});

test('without a code nothing is shown', async ({ browser, call }) => {
  const { url } = await call('ui.code', {});
  const stranger = await browser.newContext();
  const page = await stranger.newPage();
  const answers = await Promise.all(
    ['/rpc', '/ws', '/documents', '/run/daemon.json'].map((address) =>
      page.request.get(new URL(address, url).href),
    ),
  );
  for (const answer of answers) expect(answer.ok(), answer.url()).toBe(false);
  await stranger.close();
});

test('an empty home explains what to do', async ({ page, openUi }) => {
  await openUi(page);
  await expect(page.getByText('Nothing learned yet')).toBeVisible();
  // Neither an empty half beside it nor keys for rows that are not there.
  await expect(page.getByRole('separator')).toHaveCount(0);
  await expect(page.getByRole('contentinfo')).toContainText('new');
  await expect(page.getByRole('contentinfo')).not.toContainText('move');
  await page.getByRole('button', { name: 'Connect your agents' }).click();
  await expect(page).toHaveURL(/#\/settings\?tab=agents/);
  await page.getByRole('navigation').getByRole('link', { name: 'Pinned' }).click();
  await expect(page.getByText('Nothing pinned yet')).toBeVisible();
});

test('when the daemon is down, every page keeps its content and says what to do', async ({
  browser,
  daemon,
  call,
}) => {
  await call('learnings.create', {
    note: { title: 'Use pnpm here', rule: 'Install with pnpm.', scope: 'global' },
  });
  // Not the page of the other stories: this one is meant to fail to connect.
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto((await call('ui.code', {})).url);
  await page.getByRole('navigation').getByRole('link', { name: 'Learnings' }).click();
  await expect(page.getByRole('region', { name: 'Learning' })).toContainText('Install with pnpm.');
  await daemon.stop();
  await expect(page.getByRole('alert')).toContainText('run “reflect start”');
  await expect(page.getByRole('contentinfo', { name: 'Status' })).toContainText(
    'The daemon does not respond',
  );
  await expect(page.getByRole('option', { name: /Use pnpm here/ })).toBeVisible();
  await page.getByRole('navigation').getByRole('link', { name: 'Pinned' }).click();
  await expect(page.getByRole('main')).toContainText('This loads once the daemon responds.');
  await expect(page.getByRole('alert'), 'the window says it once').toHaveCount(1);
  expect(await accessibilityProblems(page)).toEqual([]);
  await context.close();
});

test.describe('with the demo', () => {
  test.use({ demo: true });

  test('every page opens by its link and by its keys, advanced ones once they are shown', async ({
    page,
    openUi,
  }) => {
    await openUi(page);
    await expect(linksOf(page)).toContainText(MAIN);
    await showAdvanced(page);
    await page.reload();
    for (const [name, key] of Object.entries(PAGES)) {
      await linksOf(page).filter({ hasText: name }).click();
      await expect(page.getByRole('main').getByRole('heading', { level: 1, name })).toBeVisible();
      await expect(page).toHaveTitle(new RegExp(name));
      await page.getByRole('main').focus();
      await page.keyboard.press('g');
      await page.keyboard.press(name === 'Team' ? 'l' : 't');
      await expect(page).toHaveURL(name === 'Team' ? /#\/learnings/ : /#\/team/);
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await expect(page.getByRole('main').getByRole('heading', { level: 1, name })).toBeVisible();
    }
  });

  test('a link opens an advanced page though the sidebar does not list it', async ({ page, openUi }) => {
    await openUi(page, '#/graph');
    await expect(page.getByRole('main').getByRole('heading', { level: 1, name: 'Graph' })).toBeVisible();
    await expect(linksOf(page)).toHaveCount(MAIN.length);
  });

  test('the palette goes to pages and finds learnings', async ({ page, openUi, call }) => {
    await openUi(page);
    const {
      items: [first],
    } = await call('learnings.list', { status: 'active', limit: 1 });
    if (!first) throw new Error('the demo has no learning');

    await page.keyboard.press('ControlOrMeta+k');
    const field = page.getByRole('combobox', { name: 'Commands' });
    await field.fill('sessions');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/#\/sessions/);
    const sessions = page.getByRole('listbox').getByRole('option');
    await expect(sessions.first()).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('End');
    await expect(sessions.last()).toHaveAttribute('aria-selected', 'true');

    await page.keyboard.press('ControlOrMeta+k');
    await field.fill('restore backup');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/#\/settings\?tab=status/);

    await page.keyboard.press('ControlOrMeta+k');
    await field.fill(first.title);
    await page.getByRole('option', { name: first.title }).first().click();
    await expect(page.getByRole('heading', { name: first.title })).toBeVisible();
  });

  test('a key or a click that comes before the learning has loaded is not lost', async ({ page, openUi }) => {
    const held: (() => void)[] = [];
    let isHolding = true;
    const release = () => {
      isHolding = false;
      for (const send of held.splice(0)) send();
    };
    await page.routeWebSocket(/./, (socket) => {
      const server = socket.connectToServer();
      const asked = new Set<number>();
      socket.onMessage((message) => {
        const { id, method } = JSON.parse(String(message)) as { id: number; method: string };
        if (method === 'learnings.get') asked.add(id);
        server.send(message);
      });
      server.onMessage((message) => {
        const { id } = JSON.parse(String(message)) as { id?: number };
        if (isHolding && id !== undefined && asked.has(id)) held.push(() => socket.send(message));
        else socket.send(message);
      });
    });
    await openUi(page);
    const list = page.getByRole('listbox', { name: 'Learnings' });
    await list.focus();
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await page.keyboard.press('s');
    release();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');

    isHolding = true;
    const second = list.getByRole('option').nth(1);
    await second.click();
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await page.getByRole('region', { name: 'Learning' }).getByRole('button', { name: 'Edit' }).click();
    release();
    await expect(second).toContainText(await page.getByRole('textbox', { name: 'Title' }).inputValue());
  });

  test('the list of keys fits a small screen, and Escape gives the focus back', async ({ page, openUi }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await openUi(page);
    const list = page.getByRole('listbox', { name: 'Learnings' });
    await list.focus();
    for (const key of ['n', 's']) {
      await page.keyboard.press(key);
      await expect(page.getByRole('dialog')).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(list).toBeFocused();
    }
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keys' });
    const { x = -1, y = -1, width = 0, height = 0 } = (await dialog.boundingBox()) ?? {};
    expect([x > 0, y > 0, x + width < 1280, y + height < 800]).toEqual([true, true, true, true]);
    const cut = await dialog.evaluate((element) =>
      [...element.querySelectorAll('*')]
        .filter(
          (each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX === 'hidden',
        )
        .map((each) => each.textContent),
    );
    expect(cut, 'no text is cut off').toEqual([]);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(list).toBeFocused();
  });

  for (const theme of ['light', 'dark'] as const) {
    test(`nothing stands in the way of anybody on any page (${theme})`, async ({ page, openUi }) => {
      test.slow();
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await openUi(page);
      await showAdvanced(page);
      const found: Record<string, string[]> = {};
      for (const name of ALL) {
        await page.getByRole('navigation').getByRole('link', { name }).click();
        await expect(page.getByRole('main').getByRole('heading', { level: 1, name })).toBeVisible();
        await page.waitForLoadState('networkidle');
        found[name] = await accessibilityProblems(page);
      }
      expect(found).toEqual(Object.fromEntries(ALL.map((name) => [name, []])));
    });

    test(`a dialog holds the focus, gives it back and stands in nobody's way (${theme})`, async ({
      page,
      openUi,
    }) => {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await openUi(page);
      const list = page.getByRole('listbox', { name: 'Learnings' });
      await expect(list.getByRole('option').first()).toBeVisible();
      await expect(
        page.getByRole('region', { name: 'Learning' }).getByRole('heading', { level: 2 }),
      ).toBeVisible();
      await list.focus();
      for (const [key, name] of [
        ['ControlOrMeta+k', 'Commands'],
        ['?', 'Keys'],
        ['s', 'Promote to skill'],
      ] as const) {
        await page.keyboard.press(key);
        const dialog = page.getByRole('dialog', { name });
        await expect(dialog).toBeVisible();
        expect(await accessibilityProblems(page), name).toEqual([]);
        const { y, height } = (await dialog.boundingBox()) ?? { y: 0, height: Infinity };
        expect(y + height, `${name} fits the window`).toBeLessThan(page.viewportSize()?.height ?? 0);
        const cut = dialog
          .locator('dt')
          .evaluateAll((keys) => keys.filter((key) => key.scrollWidth > key.clientWidth));
        expect(await cut, `${name} has room for its keys`).toEqual([]);
        for (let presses = 0; presses < 8; presses++) {
          await page.keyboard.press('Tab');
          // After its last element come the browser's own controls; what lies behind the dialog is never reached.
          expect(
            await page.evaluate(
              () =>
                document.activeElement === document.body ||
                document.activeElement?.closest('dialog') !== null,
            ),
            name,
          ).toBe(true);
        }
        await page.keyboard.press('Escape');
        await expect(dialog).toHaveCount(0);
        await expect(list, name).toBeFocused();
      }
    });
  }
});
