import { expect } from '@playwright/test';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test } from './fixtures.ts';
import { startPackaged } from './packaged-app.ts';

/** A feed as `electron-builder` publishes it, with one newer version. */
async function openFeed(newer: Buffer) {
  const asked: { url: string; headers: IncomingHttpHeaders }[] = [];
  const sha512 = createHash('sha512').update(newer).digest('base64');
  const description = {
    version: '99.0.0',
    files: [{ url: 'Reflect.AppImage', sha512, size: newer.length }],
    path: 'Reflect.AppImage',
    sha512,
    releaseDate: '2026-01-01T00:00:00.000Z',
  };
  const server = createServer(({ url = '', headers }, response) => {
    asked.push({ url, headers });
    if (url.startsWith('/latest-linux.yml')) response.end(JSON.stringify(description));
    else if (url.startsWith('/Reflect.AppImage'))
      response.setHeader('content-length', newer.length).end(newer);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`; // it listens on TCP
  return { url, asked, close: () => server.close() };
}

const offer = (version: string) => ({ name: `Restart to update to ${version}` });

test('a newer AppImage is downloaded, offered and installed on request', async ({ world }) => {
  const installed = path.join(world.repository, 'Reflect.AppImage');
  const started = path.join(world.repository, 'started');
  writeFileSync(installed, 'the version before');
  const feed = await openFeed(Buffer.from(`#!/bin/sh\necho newer > '${started}'\n`));
  try {
    const app = await startPackaged(world, { env: { APPIMAGE: installed, REFLECT_UPDATE_FEED: feed.url } });
    const button = app.page.getByRole('button', offer('99.0.0'));
    await expect(button).toBeVisible();
    expect(readFileSync(installed, 'utf8')).toBe('the version before');
    // A feed learns of no one's machine.
    expect(new Set(feed.asked.map(({ headers }) => headers['x-user-staging-id']))).toEqual(
      new Set(['00000000-0000-0000-0000-000000000000']),
    );

    await button.click();
    await expect.poll(() => existsSync(started), 'the newer version runs').toBe(true);
    expect(readFileSync(installed, 'utf8')).toContain('echo newer');
    await app.ended;
  } finally {
    feed.close();
  }
});

test('a download with the wrong hash is never offered', async ({ world }) => {
  const installed = path.join(world.repository, 'Reflect.AppImage');
  writeFileSync(installed, 'the version before');
  const feed = await openFeed(Buffer.from('what was published'));
  const forged = createServer((request, response) => {
    if (request.url?.startsWith('/latest'))
      void fetch(`${feed.url}latest-linux.yml`).then(async (answer) => response.end(await answer.text()));
    else response.end('what was forged');
  });
  await new Promise<void>((resolve) => forged.listen(0, '127.0.0.1', resolve));
  let fetched = 0;
  forged.on('request', ({ url }) => (fetched += url?.startsWith('/Reflect') ? 1 : 0));
  try {
    const url = `http://127.0.0.1:${(forged.address() as AddressInfo).port}/`; // it listens on TCP
    const app = await startPackaged(world, { env: { APPIMAGE: installed, REFLECT_UPDATE_FEED: url } });
    await expect.poll(() => fetched).toBeGreaterThan(0);
    await app.page.waitForTimeout(1_000);
    await expect(app.page.getByRole('button', offer('99.0.0'))).toHaveCount(0);
    await app.quit();
    expect(readFileSync(installed, 'utf8')).toBe('the version before');
  } finally {
    forged.close();
    feed.close();
  }
});

test('an app that cannot update itself does not ask the feed', async ({ world }) => {
  const feed = await openFeed(Buffer.from('newer'));
  const userData = path.join(world.agentsHome, '.config', 'Reflect');
  mkdirSync(userData, { recursive: true });
  writeFileSync(path.join(userData, 'shell.json'), JSON.stringify({ updateFeed: feed.url }));
  try {
    const app = await startPackaged(world);
    await app.page.waitForTimeout(1_000);
    expect(feed.asked).toEqual([]);
    await app.quit();
  } finally {
    feed.close();
  }
});
