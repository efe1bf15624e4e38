import { expect } from '@playwright/test';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Desktop } from '../desktop.ts';
import { sharedTest as test } from './fixtures.ts';

/** A server that a note must never reach. */
async function trap() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
  return { url, asked, close: () => server.close() };
}

async function showNote({ main, send }: Desktop, title: string, body: string) {
  const reply = await send('learnings.create', { note: { title, rule: title, body, scope: 'global' } });
  if (!reply.ok) throw new Error(`${reply.code} ${reply.detail}`);
  const { learning } = reply.value as { learning: { id: string } };
  await main.evaluate((id) => (location.hash = `#/learnings/${id}`), learning.id);
  const note = main.getByRole('region', { name: 'Learning' });
  await expect(note).toContainText(title);
  return note;
}

/** Addresses the system's browser would have opened. */
async function openedOutside({ app }: Desktop): Promise<() => Promise<string[]>> {
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(shell, {
      opened,
      openExternal: (address: string) => Promise.resolve(void opened.push(address)),
    });
  });
  return () => app.evaluate(({ shell }) => (shell as unknown as { opened: string[] }).opened);
}

test('a note cannot run, load, frame, submit or navigate anything', async ({ desktop }) => {
  const server = await trap();
  const opened = await openedOutside(desktop);
  try {
    const note = await showNote(
      desktop,
      'A note that attacks',
      [
        '<script>window.attacked = true</script>',
        '<img src=x onerror="window.attacked = true">',
        '<svg onload="window.attacked = true"><script>window.attacked = true</script></svg>',
        `<iframe src="${server.url}/frame"></iframe><object data="${server.url}/object"></object><embed src="${server.url}/embed">`,
        `<form action="${server.url}/form"><button>Send</button></form>`,
        `<link rel="stylesheet" href="${server.url}/style"><style>@import "${server.url}/import";</style>`,
        `<meta http-equiv="refresh" content="0;url=${server.url}/refresh"><base href="${server.url}/">`,
        `![picture](${server.url}/picture.png) ![inline](data:image/svg+xml,<svg onload="window.attacked=true">) <img src="${server.url}/raw.png" srcset="${server.url}/set.png 2x">`,
        '[script](javascript:window.attacked=true) [data](data:text/html,<script>opener.attacked=true</script>) [file](file:///etc/passwd) [case](JaVaScRiPt:window.attacked=true)',
        '<a href="javascript:window.attacked=true" onclick="window.attacked=true">raw</a> <math><mtext><img src=x onerror="window.attacked=true"></mtext></math>',
        '<button type="button" class="address" data-address="javascript:window.attacked=true">forged</button>',
      ].join('\n\n'),
    );
    for (const control of await note.locator('.markdown').locator('a, button, input, [onclick]').all())
      await control.click();
    await expect(
      note
        .locator('.markdown')
        .locator('script, img, svg, iframe, object, embed, form, link, style, meta, base, math, a[href]'),
    ).toHaveCount(0);
    await desktop.main.waitForTimeout(500); // what loads late would have loaded
    expect(await desktop.main.evaluate(() => 'attacked' in window)).toBe(false);
    expect(server.asked).toEqual([]);
    expect(await opened()).toEqual([]);
    expect(new URL(desktop.main.url()).host).toBe('reflect');
  } finally {
    server.close();
  }
});

test('a web or mail link opens in the system browser, only after a click', async ({ desktop }) => {
  const opened = await openedOutside(desktop);
  const note = await showNote(
    desktop,
    'A note with links',
    'See [the manual](https://example.org/manual?a=1&b=2) or [ask](mailto:ada@example.org).',
  );
  expect(await opened()).toEqual([]);
  await note.getByRole('button', { name: 'the manual' }).click();
  await note.getByRole('button', { name: 'ask' }).click();
  await expect.poll(opened).toEqual(['https://example.org/manual?a=1&b=2', 'mailto:ada@example.org']);
  expect(new URL(desktop.main.url()).host).toBe('reflect');
});

const LINE = '- **bold** `code` [link](https://example.org) <b>raw</b> > quote\n';
const markdown = (length: number) => LINE.repeat(Math.ceil(length / LINE.length)).slice(0, length);

test('the largest allowed note is shown; five megabytes are refused', async ({ desktop }) => {
  const { main } = desktop;
  const note = await showNote(desktop, 'The largest note there can be', markdown(100_000));
  await expect(note.locator('.markdown li').first()).toBeVisible();
  const refused = await desktop.send('learnings.create', {
    note: { title: 'Too large', rule: 'Too large.', body: markdown(5_000_000), scope: 'global' },
  });
  expect(refused).toMatchObject({ ok: false });
  await main.getByRole('link', { name: 'Settings' }).click();
  await expect(main.getByRole('link', { name: 'Settings' })).toHaveAttribute('aria-current', 'page');
});
