import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { agentCommand, NOTE } from './drain/writers/llm/testing.ts';
import { MODELS_DIR, NO_WEIGHTS } from './inference/testing.ts';
import { pathsOf } from './platform/paths.ts';
import { type CallScope, Settings } from './platform/settings.ts';
import { isUserKnob, type Knob, type KnobValue, type Resolve } from './ports/knob.ts';
import { KNOBS, PORTS } from './registry.ts';
import { needs } from './testing/needs.ts';
import { runDaemon, type RunningDaemon, workingTree } from './testing/running-daemon.ts';
import { useEverything } from './testing/use-everything.ts';

/** One look at a setting, by the code that acts on it. */
interface Read {
  name: string;
  value: KnobValue;
  scope: CallScope;
  stack: string;
}

/** Everything that a daemon of this process reads from now on. It gets what it would get anyway. */
function recordReads(): Read[] {
  const reads: Read[] = [];
  const resolver = Settings.prototype.resolver;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 50; // from the read up to the start of the daemon
  const spy = vi.spyOn(Settings.prototype, 'resolver');
  onTestFinished(() => {
    spy.mockRestore();
    Error.stackTraceLimit = stackTraceLimit;
  });
  spy.mockImplementation(function (this: Settings, scope: CallScope = { projectRoot: null }): Resolve {
    const resolve = resolver.call(this, scope);
    return (knob) => {
      const value = resolve(knob);
      reads.push({ name: knob.name, value, scope, stack: new Error().stack ?? '' });
      return value;
    };
  });
  return reads;
}

type Values = Record<string, KnobValue>;

const PROJECT = 'github.com/acme/shop';
const SWITCHES = new Set(PORTS.map((port) => port.switch.name));
/** Settings of the thread that reads transcripts. It gets them when it starts, and starts again when one changes. */
const OF_THREAD = new Set(
  KNOBS.filter(({ port }) => /^(?:signal|capture)\b/.test(port)).map(({ knob }) => knob.name),
);
const LIVE = KNOBS.map(({ knob }) => knob).filter(({ needsRestart }) => !needsRestart);

/** Answers about one of the corrections, each time in other words, and fails about the rest. */
const WRITER = `
  import { readFileSync } from 'node:fs';
  if (!readFileSync(0, 'utf8').includes('not npm')) process.exit(1);
  const title = 'Edit ' + Date.now() + ' of payments.proto needs new clients';
  process.stdout.write(JSON.stringify({ ...${JSON.stringify(NOTE)}, title }));
`;

/** Another value than the default for each; every feature is on and still works, within seconds. */
function otherValues(knobs: readonly Knob[]): Values {
  const chosen: Values = {
    REFLECT_CAPTURE: true, // off is another story, in live-settings.test.ts
    REFLECT_WRITER: 'command',
    REFLECT_WRITER_COMMAND: agentCommand(WRITER),
    REFLECT_WRITER_GATHER_SECONDS: 0,
    REFLECT_WRITER_RUNS_PER_DRAIN: 100,
    REFLECT_MAINTAIN_EVERY: 1,
    REFLECT_IGNORE: '**/scratch',
  };
  return Object.fromEntries(knobs.map((knob) => [knob.name, chosen[knob.name] ?? otherValue(knob)]));
}

function otherValue({ name, type, default: value, min = 0, max = 1, choices }: Knob): KnobValue {
  if (SWITCHES.has(name)) return true;
  switch (type) {
    case 'flag':
      return !value;
    case 'choice':
      return choices?.find((choice) => choice !== value) ?? '';
    case 'text':
      return 'echo'; // some are commands
    case 'integer':
    case 'number': {
      const step = type === 'integer' ? 1 : (max - min) / 1_000;
      return Number(value) + step <= max ? Number(value) + step : Number(value) - step;
    }
  }
}

const DEFAULTS = {
  REFLECT_MODELS_DIR: MODELS_DIR,
  REFLECT_SETTLE_SECONDS: '',
  REFLECT_BACKFILL_LEARNINGS: '',
};

/** Each of these settings was read by now; no read from here on gave another value, but for a call's own. */
async function expectRead(
  reads: readonly Read[],
  values: Values,
  { from = 0, where = () => true }: { from?: number; where?: (scope: CallScope) => boolean } = {},
) {
  const names = Object.keys(values);
  const unread = () => names.filter((name) => !reads.some((read) => read.name === name && where(read.scope)));
  await expect.poll(unread, { timeout: 20_000 }).toEqual([]);
  const isStale = ({ name, value, scope }: Read) =>
    Object.hasOwn(values, name) && where(scope) && !(name in (scope.call ?? {})) && value !== values[name];
  expect(reads.slice(from).filter(isStale)).toEqual([]);
}

async function setAll({ call }: RunningDaemon, values: Values) {
  for (const [name, value] of Object.entries(values))
    await call('config.set', { name, value, project: false });
}

/** A daemon with nothing set, in which everything was used once: what is read only the first time is read by now. */
async function usedDaemon() {
  const reads = recordReads();
  const cwd = workingTree(PROJECT);
  const daemon = await runDaemon(DEFAULTS);
  const isOfStart = ({ stack }: Read) => /\b(?:openCore|startParts)\b/.test(stack);
  const readByStart = new Set(reads.filter(isOfStart).map(({ name }) => name));
  await useEverything(daemon, { cwd, project: PROJECT, word: 'hats' });
  reads.length = 0;
  const useAgain = (word: string) => useEverything(daemon, { cwd, project: PROJECT, word });
  return { reads, cwd, daemon, readByStart, useAgain };
}

describe('what acts on a setting reads it when it acts:', { timeout: 120_000 }, () => {
  needs(NO_WEIGHTS);

  test('one set in the app or by a command counts from the next use on, and so does a switch', async () => {
    const { reads, daemon, readByStart, useAgain } = await usedDaemon();
    const values = otherValues(LIVE);
    await setAll(daemon, values);
    const readByChange = new Set(reads.map(({ name }) => name));
    expect([...readByStart].filter((name) => name in values && !readByChange.has(name))).toEqual([]);
    const from = reads.length;
    await useAgain('shoes');
    await expectRead(reads, values, { from });

    // Of a feature that is off, the switches within are not read. Without signals nothing would be noticed.
    const off = [...SWITCHES].filter((name) => !OF_THREAD.has(name) && name !== 'REFLECT_GROUNDING');
    const switches = Object.fromEntries(off.map((name) => [name, false]));
    await setAll(daemon, switches);
    reads.length = 0;
    await useAgain('gloves');
    await expectRead(reads, switches);
  });

  test('one written into the user’s file counts as soon as the file is saved', async () => {
    const { reads, daemon, useAgain } = await usedDaemon();
    const values = otherValues(LIVE);
    writeFileSync(pathsOf(daemon.home).config, stringify(values));
    const settings = () => daemon.call('config.list', {});
    const saved = { name: 'REFLECT_MAINTAIN_EVERY', value: 1 };
    await expect.poll(settings).toContainEqual(expect.objectContaining(saved));
    const from = reads.length;
    await useAgain('shoes');
    await expectRead(reads, values, { from });
  });

  test('one in a project’s file counts in that project', async () => {
    const { reads, cwd, daemon, useAgain } = await usedDaemon();
    await setAll(daemon, otherValues(LIVE.filter(isUserKnob)));
    const values = otherValues(LIVE.filter(({ perProject }) => perProject));
    reads.length = 0;
    mkdirSync(join(cwd, '.reflect'));
    writeFileSync(join(cwd, '.reflect', 'config.toml'), stringify(values));
    await useAgain('shoes');
    await expectRead(reads, values, { where: ({ projectRoot }) => projectRoot === cwd });
  });

  test('one in the environment counts from the start', async () => {
    const reads = recordReads();
    const values = otherValues(LIVE);
    const environment = Object.entries(values).map(([name, value]) => [name, String(value)]);
    const daemon = await runDaemon({ ...DEFAULTS, ...Object.fromEntries(environment) });
    await useEverything(daemon, { cwd: workingTree(PROJECT), project: PROJECT, word: 'hats' });
    await expectRead(reads, values);
  });
});
