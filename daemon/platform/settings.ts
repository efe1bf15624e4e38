import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'smol-toml';
import type { KnobState } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import { type Knob, type KnobValue, parseKnob, type Resolve } from '../ports/knob.ts';
import { writeFileAtomic } from './files.ts';

type Source = KnobState['source'];
type Values = Record<string, unknown>;

export interface CallScope {
  call?: Values | undefined;
  projectRoot?: string | null | undefined;
}

/** The layers a setting is looked up in: call argument, environment, project file, home file, default. */
export class Settings {
  readonly #file: string;
  readonly #environment: Values;
  readonly #knobs: ReadonlyMap<string, Knob>;
  readonly #projects = new Map<string, { mtimeMs: number; values: Values; problem: string }>();
  #home: Values;

  /** Throws for a value that is out of range: a daemon that silently ignores a setting is worse than one that stays down. */
  constructor(file: string, environment: NodeJS.ProcessEnv, knobs: readonly Knob[]) {
    this.#file = file;
    this.#knobs = new Map(knobs.map((knob) => [knob.name, knob]));
    this.#environment = Object.fromEntries(Object.entries(environment).filter(([name, value]) => value !== '' && this.#knobs.has(name)));
    this.#check(this.#environment, 'the environment');
    this.#home = this.#check(readToml(file), file);
  }

  resolver(scope: CallScope = {}): Resolve {
    if (scope.call) this.#check(scope.call, 'the call');
    return (knob) => this.#find(knob, scope).value;
  }

  state(knob: Knob, scope: CallScope = {}): KnobState {
    const { value, source } = this.#find(knob, scope);
    const { name, type, doc, min = null, max = null, choices } = knob;
    return { name, type, doc, port: '', default: knob.default, value, source, min, max, choices: choices ? [...choices] : null };
  }

  /** Writes the home file; null takes the setting out, so that a better default of a later release reaches the user. */
  set(name: string, value: unknown): Knob {
    const knob = this.#knob(name);
    const next = { ...this.#home };
    if (value === null) delete next[name];
    else next[name] = parseKnob(knob, value);
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    writeFileAtomic(this.#file, stringify(next));
    this.#home = next;
    return knob;
  }

  /** What is wrong with a project's file, so that whoever asks from there is told. */
  projectProblem(root: string): string {
    return this.#project(root).problem;
  }

  #find<T extends KnobValue>(knob: Knob<T>, { call, projectRoot }: CallScope): { value: T; source: Source } {
    const layers: Array<[Source, Values]> = [
      ['call', call ?? {}],
      ['environment', this.#environment],
      ['project', projectRoot && knob.perProject ? this.#project(projectRoot).values : {}],
      ['home', this.#home],
    ];
    for (const [source, values] of layers) {
      if (values[knob.name] !== undefined) return { value: parseKnob(knob, values[knob.name]), source };
    }
    return { value: knob.default, source: 'default' };
  }

  /** A project's file is somebody else's: a mistake in it is told, never fatal. Read again when it changed. */
  #project(root: string): { values: Values; problem: string } {
    const file = join(root, '.reflect', 'config.toml');
    const mtimeMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const known = this.#projects.get(root);
    if (known?.mtimeMs === mtimeMs) return known;
    const entry = { mtimeMs, values: {} as Values, problem: '' };
    try {
      if (mtimeMs > 0) entry.values = this.#check(readToml(file), file);
    } catch (error) {
      entry.problem = error instanceof Error ? error.message : String(error);
    }
    this.#projects.set(root, entry);
    return entry;
  }

  #check(values: Values, where: string): Values {
    for (const [name, value] of Object.entries(values)) {
      const knob = this.#knobs.get(name);
      if (!knob) throw new DaemonError('bad-knob', `${where} names ${name}, which is no setting of Reflect`);
      parseKnob(knob, value);
    }
    return values;
  }

  #knob(name: string): Knob {
    const knob = this.#knobs.get(name);
    if (!knob) throw new DaemonError('bad-knob', `${name} is no setting of Reflect`);
    return knob;
  }
}

function readToml(file: string): Values {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  try {
    return parse(content);
  } catch (error) {
    throw new DaemonError('bad-knob', `${file} is not valid TOML: ${(error as Error).message.split('\n')[0]}`);
  }
}
