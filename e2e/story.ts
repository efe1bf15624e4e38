import { type Browser, expect, type Page } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Call } from '#contract/methods.ts';
import { ROOT } from '../app/setup.mjs';
import { animatedPng, type Frame } from './apng.ts';
import {
  beCorrected,
  createWorld,
  sessionStart,
  startDaemon,
  TranscriptWriter,
  type World,
} from './world.ts';

const SIZE = { width: 1200, height: 760 };
const CAPTION = 60;
const SCALE = 2; // for dense screens
const STEPS = [
  'You correct your agent',
  'Reflect notes it, with your words',
  'The next session knows',
] as const;
const FONT = path.join(ROOT, 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');

const STYLE = `
  @font-face { font-family: Inter; src: url(data:font/woff2;base64,${readFileSync(FONT, 'base64')}); font-weight: 100 900; }
  * { margin: 0; box-sizing: border-box; }
  body { width: ${SIZE.width}px; height: ${SIZE.height}px; background: #fff; font: 16px/1.5 Inter; color: #1c1c22; overflow: hidden; }
  ol { display: flex; gap: 40px; height: ${CAPTION}px; padding: 0 28px; align-items: center; list-style: none; }
  li { color: #8a8a96; } li b { color: #5b57c9; margin-right: 8px; } li.now { color: #1c1c22; }
  img { display: block; width: 100%; border-top: 1px solid #e4e4ea; }
  pre { height: 100%; padding: 32px 40px; background: #17171c; color: #dcdce2; font: 17px/1.6 "DejaVu Sans Mono", monospace; white-space: pre-wrap; }
  pre b { color: #fff; font-weight: 600; } pre i { color: #9a96ff; font-style: normal; } pre s { color: #85858f; text-decoration: none; }`;

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** One picture: which step this is, and below it a window. */
async function picture(page: Page, step: number, stage: string): Promise<Buffer> {
  const steps = STEPS.map(
    (words, index) => `<li class="${index === step ? 'now' : ''}"><b>${index + 1}</b>${words}</li>`,
  );
  await page.setContent(`<style>${STYLE}</style><ol>${steps.join('')}</ol>${stage}`);
  await page.evaluate(() => document.fonts.ready);
  return page.screenshot();
}

/** The turns of the session as a terminal shows them. */
function turnsOf(transcript: TranscriptWriter): string[] {
  return readFileSync(transcript.file, 'utf8')
    .trim()
    .split('\n')
    .flatMap((line) => {
      const { message } = JSON.parse(line) as {
        message: {
          role: string;
          content: string | { type: string; text?: string; input?: { command: string } }[];
        };
      };
      if (typeof message.content === 'string') return [`<b>&gt; ${escaped(message.content)}</b>`];
      return message.content.flatMap(({ text, input }) =>
        text ? [`● ${escaped(text)}`] : input ? [`<s>  $ ${escaped(input.command)}</s>`] : [],
      );
    });
}

const terminal = (title: string, lines: readonly string[]) =>
  `<pre><s>${title}</s>\n\n${lines.join('\n\n')}</pre>`;

/** Waits for what the session taught, and photographs it in the app. */
async function photographApp(page: Page, call: Call): Promise<Buffer[]> {
  const photograph = () => page.screenshot();
  await page.goto((await call('ui.code', {})).url);
  const note = page.getByRole('region', { name: 'Learning' }).getByRole('heading', { level: 2 });
  await note.waitFor({ timeout: 60_000 });
  await page.locator('mark').first().waitFor();
  await page.getByText('to process').waitFor({ state: 'detached', timeout: 60_000 });
  await page.getByText('indexing').waitFor({ state: 'detached', timeout: 60_000 });
  const pictures = [await photograph()];
  await page.locator('mark').first().scrollIntoViewIfNeeded();
  pictures.push(await photograph());
  return pictures;
}

/** The start of the next session, as the agent gets it: from the heading to the lesson. */
async function nextSession(world: World): Promise<string[]> {
  await expect.poll(() => sessionStart(world), { timeout: 60_000 }).toContain('pnpm');
  const injected = await sessionStart(world);
  return ['<b>$ claude</b>', `<s>SessionStart hook: reflect</s>`, `<i>${escaped(injected.trim())}</i>`];
}

/**
 * A correction, from the session to the next one: a real daemon reads a transcript, and its own app and hook show what
 * came of it.
 */
export async function filmStory(browser: Browser): Promise<Buffer> {
  const world = createWorld();
  const daemon = await startDaemon(world, []);
  const canvas = await browser.newPage({ viewport: SIZE, deviceScaleFactor: SCALE });
  const app = await browser.newPage({
    viewport: { width: SIZE.width, height: SIZE.height - CAPTION },
    deviceScaleFactor: SCALE,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
  });
  try {
    const origin = 'https://github.com/acme/shop.git';
    execFileSync('git', ['-C', world.repository, 'remote', 'add', 'origin', origin]);
    const transcript = new TranscriptWriter(world);
    beCorrected(transcript);
    const turns = turnsOf(transcript);
    const [note, evidence] = await photographApp(app, daemon.call);
    const frames: Frame[] = [];
    const show = async (step: number, stage: string, ms: number) =>
      frames.push({ png: await picture(canvas, step, stage), ms });
    const shown = (png: Buffer | undefined) =>
      `<img src="data:image/png;base64,${png?.toString('base64') ?? ''}">`;
    await show(0, terminal('Claude Code · shop', turns.slice(0, 3)), 1_800);
    await show(0, terminal('Claude Code · shop', turns.slice(0, 5)), 3_200);
    await show(0, terminal('Claude Code · shop', turns.slice(0, 7)), 1_800);
    await show(1, shown(note), 3_600);
    await show(1, shown(evidence), 3_000);
    await show(2, terminal('Claude Code · shop · a new session', await nextSession(world)), 4_200);
    return animatedPng(frames);
  } finally {
    await app.close();
    await canvas.close();
    await daemon.stop();
    world.remove();
  }
}
