import { Note } from '#contract/entities.ts';
import { gaussian, seeded } from './statistics.ts';
import * as words from './vocabulary.ts';

/** Draws early entries more often than late ones, so that a few words are common and many are rare. */
type Pick = (from: readonly string[]) => string;

function pickWith(random: () => number): Pick {
  return (from) => from[Math.floor(from.length * random() ** 1.5)] ?? '';
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** `count` notes like those of developers: most in the larger projects, a few on branches, a few global. */
export function makeNotes(count: number, seed = 1): Note[] {
  const random = seeded(seed);
  const pick = pickWith(random);
  return Array.from({ length: count }, (_, number) => makeNote(number, random, pick));
}

function makeNote(number: number, random: () => number, pick: Pick): Note {
  const tool = pick(words.TOOLS);
  const thing = pick(words.THINGS);
  const verb = pick(words.VERBS);
  const place = pick(words.PLACES);
  const name = identifier(random, pick);
  const cause = pick(words.CAUSES);
  const isGlobal = random() < 0.04;
  const isOnBranch = !isGlobal && random() < 0.15;
  return Note.parse({
    title: `${capital(verb)} the ${thing} of ${name} ${place}`,
    category: pick(words.CATEGORIES),
    type: random() < 0.7 ? 'correction' : 'pattern',
    tags: [...new Set([tool, thing, pick(words.TOOLS)])],
    confidence: 0.5 + random() / 2,
    problem: `With ${tool}, the ${thing} ${pick(words.SYMPTOMS)} when ${name} touches the ${pick(words.THINGS)}.`,
    rootCause: `${capital(cause)}, and ${pick(words.CAUSES)}.`,
    fix: `${capital(verb)} it ${place}; ${pick(words.VERBS)} the ${pick(words.THINGS)} with ${pick(words.TOOLS)} first.`,
    rule: `Never leave the ${thing} to ${tool}: ${verb} it ${place}, ${pick(words.REASONS)}.`,
    body:
      random() < 0.3
        ? `\`\`\`ts\nawait ${name}.${verb}({ attempt: ${number % 7}, tool: '${tool}' });\n\`\`\``
        : '',
    project: isGlobal ? '' : pick(words.PROJECTS),
    branch: isOnBranch ? pick(words.BRANCHES) : null,
    scope: isGlobal ? 'global' : 'project',
    provenance: {
      agent: 'claude-code',
      session: `bench-${number % 400}`,
      quote: `no, ${verb} the ${thing} ${place}`,
    },
    entities: [
      { name: tool, type: 'tool' },
      { name, type: 'function' },
    ],
    relations: [{ source: name, target: tool, type: 'uses' }],
  });
}

function identifier(random: () => number, pick: Pick): string {
  return `${pick(words.AREAS)}${capital(pick(words.AREAS))}${pick(words.PARTS)}${random() < 0.5 ? Math.floor(random() * 100) : ''}`;
}

/** Questions like those of agents and people, all different, so that no cache can answer one. */
export function makeQuestions(count: number, seed: number): string[] {
  const random = seeded(seed);
  const pick = pickWith(random);
  const questions = new Set<string>();
  while (questions.size < count) questions.add(makeQuestion(random, pick));
  return [...questions];
}

function makeQuestion(random: () => number, pick: Pick): string {
  const about = `${pick(words.THINGS)} of ${identifier(random, pick)}`;
  const forms = [
    () => `why does the ${about} ${pick(words.SYMPTOMS).replace(/s\b/, '')} ${pick(words.PLACES)}?`,
    () => `how do we ${pick(words.VERBS)} the ${about} with ${pick(words.TOOLS)}`,
    () => `${pick(words.TOOLS)} ${about} ${pick(words.SYMPTOMS)}`,
    () =>
      `should I ${pick(words.VERBS)} the ${about} ${pick(words.PLACES)} or ${pick(words.VERBS)} the ${pick(words.THINGS)}`,
  ];
  return forms[Math.floor(random() * forms.length)]?.() ?? about;
}

/** Vectors near real ones: embedding thousands of texts takes minutes, and a scan costs the same for any vector. */
export function makeVectors(real: readonly Float32Array[], count: number, seed = 2): Float32Array[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, number) => {
    const base = real[number % real.length] ?? new Float32Array();
    return number < real.length ? base : perturbed(base, 0.3 + 0.6 * random(), random);
  });
}

/** Moves a unit vector by about `distance` in a random direction and normalises it. */
export function perturbed(vector: Float32Array, distance: number, random: () => number): Float32Array {
  const scale = distance / Math.sqrt(vector.length);
  const moved = vector.map((value) => value + scale * gaussian(random));
  const length = Math.hypot(...moved);
  return moved.map((value) => value / length);
}
