// Fits the weights of notes to labelled sessions and a reader's verdicts: `node daemon/drain/bench/fit-notes.ts [--data
// DIR]`. `--without REPO --out FILE` leaves a repository out, for measuring on it.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { openModels } from '../../bench/models.ts';
import { readLabelled } from '../../capture/bench/labelled.ts';
import { likenessBy, messageLikeness } from './likeness.ts';
import { fitNotes, readTitles, tryWordings, type Tried } from './note-fit.ts';
import { type LabelledMoment, momentsOf } from './session-moments.ts';
import { readVerdicts } from './verdicts.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    without: { type: 'string' },
    out: { type: 'string', default: fileURLToPath(new URL('../note-weights.json', import.meta.url)) },
  },
});

const models = await openModels();
const moments = readLabelled(values.data)
  .filter(({ repo }) => repo !== values.without)
  .flatMap((session) => momentsOf(session));
const tried = new Map<LabelledMoment, Tried[]>();
const toMessage = messageLikeness(models);
for (const moment of moments) tried.set(moment, await tryWordings(moment, likenessBy(models), toMessage));
const verdict = readVerdicts();
const vectors = new Map<string, Float32Array>();
for (const title of readTitles({ moments, tried, verdict }).keys())
  vectors.set(title, await models.document('embedder', title));
const model = models.inference.available('embedder')?.id ?? '';
await models.inference.close();
const weights = fitNotes({ moments, tried, verdict, vectors, model });
const style = await resolveConfig(fileURLToPath(import.meta.url));
writeFileSync(values.out, await format(JSON.stringify(weights), { ...style, parser: 'json' }));
