import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SIGNALS } from './capture/ports.ts';
import { parseKnob } from './ports/knob.ts';
import { portsDocument } from './ports/document.ts';
import { MUTATIONS } from './ports/mutations.ts';
import { SEED_PORTS } from './ports/seeds.ts';
import { RECALL_PORTS } from './recall/ports.ts';
import { KNOBS, PORTS } from './registry.ts';

const isPortFile = (file: string) => file.endsWith('.ts') && !file.endsWith('.test.ts');

test.each(Object.entries(RECALL_PORTS))(
  'recall/%s: the table lists exactly the files in the folder',
  (stage, ports) => {
    const ids = readdirSync(`daemon/recall/${stage}`)
      .filter(isPortFile)
      .map((file) => `${stage}.${file.slice(0, -3)}`);
    expect(ports.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  },
);

test('capture: the table lists exactly what the files in the folder of signals export, and each exports some', async () => {
  const files = readdirSync('daemon/capture/signal').filter(isPortFile);
  const idsByFile = await Promise.all(
    files.map(async (file) =>
      signalIds((await import(`./capture/signal/${file.slice(0, -3)}.ts`)) as object),
    ),
  );
  expect(SIGNALS.map(({ id }) => id).toSorted()).toEqual(idsByFile.flat().toSorted());
  expect(files.filter((_, index) => idsByFile[index]?.length === 0)).toEqual([]);
});

/** A file exports one signal under the name of the file, or a table of them. */
function signalIds(module: object): string[] {
  return Object.values(module)
    .flat()
    .flatMap((exported: unknown) =>
      typeof exported === 'object' && exported !== null && 'id' in exported ? [String(exported.id)] : [],
    );
}

/** Ports whose effect is shown by a test elsewhere. */
const PROVEN_IN: Readonly<Record<string, string>> = {
  'daemon/capture/signal/experience.ts': 'daemon/outcomes/experience/extract.proof.test.ts',
  'daemon/capture/signal/finding.ts': 'daemon/capture/judge/finding-signals.test.ts',
  'daemon/capture/signal/human.ts': 'daemon/capture/judge/human-signals.test.ts',
  'daemon/capture/signal/retraction.ts': 'daemon/knowledge/retract.test.ts',
  'daemon/recall/fuse/adaptive.ts': 'daemon/recall/fifth-arm.test.ts',
};

const PORT_FILES = [
  'daemon/capture/signal',
  ...Object.keys(RECALL_PORTS).map((stage) => `daemon/recall/${stage}`),
]
  .flatMap((folder) => readdirSync(folder).map((file) => `${folder}/${file}`))
  .filter(isPortFile);

test.each(PORT_FILES)('%s has a test that shows its effect', (file) => {
  const beside = ['.proof.test.ts', '.test.ts'].map((ending) => file.replace(/\.ts$/, ending));
  expect([...beside, PROVEN_IN[file] ?? ''].filter(existsSync)).not.toEqual([]);
});

test.each(PORTS)('$id says in a sentence what a user notices', ({ doc }) => {
  expect(doc).toMatch(/^[A-Z].+\.$/);
});

test.each(KNOBS)(
  '$knob.name has a documentation line, a name of its own and a default within its range',
  ({ knob }) => {
    expect(knob.doc.length).toBeGreaterThan(10);
    expect(knob.name).toMatch(/^(?:RECALL|REFLECT)_[A-Z0-9_]+$|^Q_LEARNING_ALPHA$/);
    expect(parseKnob(knob, knob.default)).toBe(knob.default);
    expect(KNOBS.filter((other) => other.knob.name === knob.name)).toHaveLength(1);
  },
);

test('the seeds ask for 57 ports, each once', () => {
  expect(new Set(SEED_PORTS.map(({ seed }) => seed)).size).toBe(57);
});

test.each(SEED_PORTS)(
  '$seed is built: it has a module, and a proof that names it',
  ({ seed, module, proof }) => {
    expect(existsSync(module)).toBe(true);
    // As a word: a proof of S10 says nothing of S1.
    expect(readFileSync(proof, 'utf8')).toMatch(new RegExp(`\\b${seed}\\b`));
  },
);

test.each(SEED_PORTS)(
  '$seed can be taken out by `node daemon/ports/mutate.ts`: mutations.ts names an export that is there',
  ({ seed, module }) => {
    const { heart, module: elsewhere = module } = MUTATIONS[seed] ?? { heart: 'nothing' };
    expect(readFileSync(elsewhere, 'utf8')).toMatch(
      new RegExp(`^export (?:async )?(?:function\\*?|const|class) ${heart}\\b`, 'm'),
    );
  },
);

test('every proof in the tree belongs to a port that is listed as built', () => {
  const proofs = readdirSync('daemon', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.proof.test.ts'))
    .map((file) => `daemon/${file}`);
  const claimed = new Set(SEED_PORTS.map(({ seed }) => seed));
  // Several files may prove one port (R8 is six boosts); what none may do is prove a port that is not listed.
  for (const file of proofs)
    expect(
      [...readFileSync(file, 'utf8').matchAll(/\b(?:SG|[RMSACO])\d+(?=[:, ])/g)]
        .map(([seed]) => seed)
        .filter((seed) => !claimed.has(seed)),
      file,
    ).toEqual([]);
});

test('PORTS.md is what the tables say; `node daemon/write-ports.ts` writes it again', () => {
  expect(readFileSync('daemon/ports/PORTS.md', 'utf8')).toBe(portsDocument(KNOBS, PORTS));
});
