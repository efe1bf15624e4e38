import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { barsOf, brokenRatios, isMet } from './bars.ts';
import { barChart } from './chart.ts';
import { writeDocument } from './document.ts';
import { makeNotes, makeQuestions, makeVectors } from './corpus.ts';
import type { Figures } from './figures.ts';
import type { RecallFigures } from './recall-bench.ts';
import { render } from './report.ts';
import { acrossRounds, gaussian, percentile, seeded, type Spread } from './statistics.ts';

describe('statistics', () => {
  test('a percentile is always a value that was measured', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(hundred, 0.95)).toBe(95);
    expect(percentile([7], 0.95)).toBe(7);
    expect(percentile([1, 9], 0)).toBe(1);
    expect(() => percentile([], 0.5)).toThrow('nothing was measured');
  });

  test('one disturbed round does not become the result', () => {
    expect(
      acrossRounds([
        [1, 2],
        [1, 2],
        [900, 999],
      ]),
    ).toEqual({ best: 1, p50: 1, p95: 2 });
  });

  test('a seed gives the same numbers again, evenly and normally distributed', () => {
    const draw = (seed: number) => {
      const random = seeded(seed);
      return Array.from({ length: 20_000 }, random);
    };
    expect(draw(5)).toEqual(draw(5));
    expect(draw(5)).not.toEqual(draw(6));
    const random = seeded(7);
    const normal = Array.from({ length: 20_000 }, () => gaussian(random));
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(mean(draw(5))).toBeCloseTo(0.5, 1);
    expect(mean(normal)).toBeCloseTo(0, 1);
    expect(mean(normal.map((value) => value ** 2))).toBeCloseTo(1, 1);
  });
});

describe('corpus', () => {
  test('a smaller corpus is the beginning of a larger one', () => {
    expect(makeNotes(500).slice(0, 50)).toEqual(makeNotes(50));
  });

  test('notes differ and belong to several projects, to branches or to all projects', () => {
    const notes = makeNotes(2_000);
    expect(new Set(notes.map(({ title }) => title)).size).toBeGreaterThan(1_980);
    expect(new Set(notes.map(({ project }) => project)).size).toBe(7);
    expect(notes.filter(({ branch }) => branch !== null).length).toBeGreaterThan(100);
    expect(notes.filter(({ scope }) => scope === 'global').length).toBeGreaterThan(20);
  });

  test('no question repeats, so that no cache can answer', () => {
    expect(new Set(makeQuestions(3_000, 1)).size).toBe(3_000);
  });

  test('a derived vector has length one and is near its source', () => {
    const real = [0, 1].map((axis) =>
      Float32Array.from({ length: 384 }, (_, index) => (index === axis ? 1 : 0)),
    );
    const vectors = makeVectors(real, 40);
    expect(vectors.slice(0, 2)).toEqual(real);
    vectors.slice(2).forEach((vector, index) => {
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      expect(vector[index % 2]).toBeGreaterThan(0.6);
    });
  });
});

/** Figures of a recall in which every part took as long; the floor never matters beside the ratio to it. */
const recallOf = (
  spread: Spread,
  size: number,
  ratioToFloor: RecallFigures['ratioToFloor'],
): RecallFigures => ({
  size,
  everywhere: spread,
  inProject: spread,
  embeddingAlone: spread,
  floorMs: 15,
  ratioToFloor,
  cached: spread,
  stages: {},
  reranked: null,
  contention: 0,
});

describe('bars', () => {
  const nothing: Figures = {
    machine: '2 cores',
    node: '24',
    recall: [],
    hook: [],
    idle: null,
    start: null,
    backfill: null,
    seconds: 1,
  };

  test('a bar that was not measured is neither met nor shown', () => {
    expect(barsOf(nothing).some(isMet)).toBe(false);
    expect(render(nothing)).not.toMatch(/[✓✗]/);
  });

  test('each bar is marked by its own limit, and a smaller size meets none', () => {
    const start = {
      size: 10_000,
      starts: { plain: 1, reranked: 0 },
      listeningMs: 200,
      firstAnswerMs: 1_600,
      firstRerankedMs: null,
      backAfterRestMs: 200,
      contention: 0.4,
    };
    const hook = {
      size: 10_000,
      nodeMs: 40,
      hookMs: 60,
      commandMs: 72,
      hookRatio: 1.5,
      commandRatio: 1.8,
      events: [{ event: 'Stop', ms: 60, ratio: 1.5 }],
      statusMs: 0.8,
      trouble: {
        hungMs: 350,
        hungStartMs: 1_600,
        fired: 200,
        answered: 120,
        longestMs: 400,
        exitCodes: [0],
        complaints: [],
      },
      withoutDaemon: { neverMs: 50, killedMs: 60, exitCodes: [0] },
      contention: 0,
    };
    const table = render({ ...nothing, start, hook: [hook] });
    expect(table).toMatch(/✗ cold start .* 1600 ms .* ≤ 1000 ms/);
    expect(table).toMatch(/✓ models back .* 200 ms .* ≤ 300 ms/);
    expect(table).toMatch(/✗ reflect hook SessionStart ÷ node -e 0.* 1\.80 × .* ≤ 1\.3 ×/);
    expect(table).toMatch(/✗ slowest other hook ÷ node -e 0.* 1\.50 × .* ≤ 1\.3 ×/);
    expect(table).toContain('others used 40 % of the cores');
    expect(render({ ...nothing, hook: [{ ...hook, size: 1_000 }] })).not.toMatch(/[✓✗]/);
  });

  test('a ratio worse than its bar breaks the check, milliseconds do not', () => {
    const recall = recallOf({ best: 1, p50: 20, p95: 900 }, 10_000, { everywhere: 1.4, inProject: 1.2 });
    expect(brokenRatios({ ...nothing, recall: [recall] }).map(({ what }) => what)).toEqual([
      'recall everywhere ÷ floor, 10000',
    ]);
    expect(brokenRatios(nothing)).toEqual([]);
  });

  test('the document is written from a quiet run only', () => {
    const folder = mkdtempSync(join(tmpdir(), 'reflect-bench-document-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const spread = { best: 1, p50: 12.5, p95: 20 };
    const recall = { ...recallOf(spread, 1_000, { everywhere: 1.14, inProject: 1.14 }), contention: 0.9 };
    expect(writeDocument(folder, { ...nothing, recall: [recall] })).toBe(
      'other processes used 90 % of the cores',
    );
    expect(readdirSync(folder)).toEqual([]);
    expect(writeDocument(folder, { ...nothing, recall: [{ ...recall, contention: 0.01 }] })).toBeNull();
    expect(readFileSync(join(folder, 'bench.md'), 'utf8')).toContain('✓ recall everywhere ÷ floor, 1000');
    expect(readFileSync(join(folder, 'bench-recall.svg'), 'utf8')).toContain('12.5 ms');
  });

  test('a chart has a bar for each value, as long as it is large, and shows names as they are', () => {
    const chart = barChart('Recall <all>', 'ms', [
      {
        name: 'one & two',
        bars: [
          { name: 'a', value: 10 },
          { name: 'b', value: 5 },
        ],
      },
    ]);
    const [long = 0, short = 0] = [...chart.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) =>
      Number(width),
    );
    expect(long / short).toBeCloseTo(2, 1);
    expect(chart).toContain('one &amp; two');
    expect(chart).toContain('Recall &lt;all>');
    expect(chart).toContain('10.0 ms');
  });
});
