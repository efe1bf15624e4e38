// Fits the judges' weights to labelled sessions and saves them: `node daemon/capture/bench/fit-judge.ts [--data DIR]`.
// For measuring on a repository that they have not seen: `--without REPOSITORY --out FILE`. `npm run bench:capture`
// shows figures.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fitWeights, readSession } from './examples.ts';
import { readLabelled } from './labelled.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    without: { type: 'string' },
    out: { type: 'string', default: fileURLToPath(new URL('../judge/weights.json', import.meta.url)) },
  },
});
const sessions = readLabelled(values.data).filter(({ repo }) => repo !== values.without);
writeFileSync(values.out, `${JSON.stringify(fitWeights(sessions.map(readSession)), null, 2)}\n`);
