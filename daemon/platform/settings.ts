import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'smol-toml';
import type { KnobState } from '#contract/settings.ts';
import { DaemonError } from '#contract/errors.ts';
import { type Knob, type KnobValue, parseKnob, type Resolve } from '../ports/knob.ts';
import { writeFileAtomic } from './files.ts';
import { fileStat, linkStat, textIfThere } from './read-file.ts';
import { setKey } from './toml.ts';

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
  readonly #projects = new Map<string, { stamp: string; values: Values; problem: string }>();
  #home: Values;

  /** Throws for an invalid value: a daemon that silently ignores a setting is worse than one that does not start. */
  constructor(file: string, environment: NodeJS.ProcessEnv, knobs: readonly Knob[]) {
    this.#file = file;
    this.#knobs = new Map(knobs.map((knob) => [knob.name, knob]));
    this.#environment = Object.fromEntries(
      Object.entries(environment).filter(
        ([name, value]) => (value !== '' || this.#knobs.get(name)?.type === 'text') && this.#knobs.has(name),
      ),
    );
    this.#check(this.#environment, 'the environment');
    this.#home = this.#check(withEvents(parseToml(textIfThere(file) ?? '', file), file), file);
  }

  resolver(scope: CallScope = {}): Resolve {
    if (scope.call) this.#check(scope.call, 'the call');
    return (knob) => this.#find(knob, scope).value;
  }

  state(knob: Knob, scope: CallScope = {}): KnobState {
    const { value, source } = this.#find(knob, scope);
    const { name, type, doc, min = null, max = null, choices } = knob;
    return {
      name,
      type,
      doc,
      port: '',
      default: knob.default,
      value,
      source,
      min,
      max,
      choices: choices ? [...choices] : null,
    };
  }

  /** Writes the home file; null removes the setting, so that the user gets the default of later releases. */
  set(name: string, value: unknown): Knob {
    const knob = this.#knob(name);
    const source = textIfThere(this.#file) ?? '';
    // The file is read again, because edits a person made since the start must survive.
    const next = { ...parseToml(source, this.#file) };
    this.#check(withEvents(next, this.#file), this.#file);
    if (value === null) delete next[name];
    else next[name] = parseKnob(knob, value);
    writeFileAtomic(this.#file, editToml(source, name, next));
    this.#home = withEvents(next, this.#file);
    return knob;
  }

  /** The problems of a project's file, to show to those who work in it; '' if there are none. */
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

  /** A project's file may come from somebody else, so a mistake in it is reported, never fatal. Cached until it changes. */
  #project(root: string): { values: Values; problem: string } {
    const file = join(root, '.reflect', 'config.toml');
    const stamp = stampOf(file);
    const known = this.#projects.get(root);
    if (known?.stamp === stamp) return known;
    const entry = { stamp, ...this.#readProject(file, root) };
    this.#projects.set(root, entry);
    return entry;
  }

  #readProject(file: string, root: string): { values: Values; problem: string } {
    const values: Values = {};
    const problems: string[] = [];
    const attempt = (work: () => void) => {
      try {
        work();
      } catch (error) {
        problems.push(
          error instanceof DaemonError ? (error.detail ?? error.message) : (error as Error).message,
        );
      }
    };
    attempt(() => {
      for (const [name, value] of Object.entries(
        withEvents(parseToml(textIfThere(file, { within: root }) ?? '', file), file),
      )) {
        attempt(() => {
          this.#check({ [name]: value }, file);
          if (!this.#knob(name).perProject)
            throw new DaemonError('bad-knob', `${file} may not set ${name}: only your own configuration can`);
          values[name] = value;
        });
      }
    });
    return { values, problem: problems.join('; ') };
  }

  #check(values: Values, where: string): Values {
    for (const [name, value] of Object.entries(values)) {
      const knob = this.#knobs.get(name);
      if (!knob)
        throw new DaemonError('bad-knob', `${where} names ${name}, which is not a setting of Reflect`);
      try {
        parseKnob(knob, value);
      } catch (error) {
        throw error instanceof DaemonError ? new DaemonError('bad-knob', `${where}: ${error.detail}`) : error;
      }
    }
    return values;
  }

  #knob(name: string): Knob {
    const knob = this.#knobs.get(name);
    if (!knob) throw new DaemonError('bad-knob', `${name} is not a setting of Reflect`);
    return knob;
  }
}

/** Changes with the file and with a link in its place, even one that leads nowhere. */
function stampOf(file: string): string {
  const stat = fileStat(file) ?? linkStat(file);
  return stat ? `${stat.mtimeMs}:${stat.size}` : '';
}

function parseToml(source: string, file: string): Values {
  try {
    return parse(source);
  } catch (error) {
    throw new DaemonError(
      'bad-knob',
      `${file} is not valid TOML: ${(error as Error).message.split('\n')[0]}`,
    );
  }
}

const isTable = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Tables whose keys are settings with a longer name: `similarity_threshold` in `[memory]` is `REFLECT_MEMORY_SIMILARITY_THRESHOLD`. */
const TABLES: Readonly<Record<string, string>> = { memory: 'REFLECT_MEMORY', q_learning: 'Q_LEARNING' };

/** Turns the tables of a file into settings, and the event names in `[events.on]`; a setting under its own name wins. */
function withEvents({ events, ...values }: Values, file: string): Values {
  if (events !== undefined && (!isTable(events) || !isTable(events.on) || Object.keys(events).length > 1))
    throw new DaemonError('bad-knob', `${file}: events can only be configured in [events.on]`);
  const tables = Object.entries(TABLES).filter(([name]) => isTable(values[name]));
  const named = Object.entries(values).filter(([name]) => !tables.some(([table]) => table === name));
  return Object.fromEntries([
    ...(events ? leaves(events.on as Values, 'REFLECT_EVENTS_ON') : []),
    ...tables.flatMap(([name, prefix]) => leaves(values[name] as Values, prefix)),
    ...named,
  ]);
}

/** Flattens nested tables, because TOML parses a name with a dot as a table within a table. */
function leaves(table: Values, prefix: string): Array<[string, unknown]> {
  return Object.entries(table).flatMap(([key, value]) => {
    const name = `${prefix}_${key.toUpperCase().replaceAll('.', '_')}`;
    return isTable(value) ? leaves(value, name) : [[name, value] as [string, unknown]];
  });
}

/** Changes one setting and keeps comments and order; a file that cannot be edited like that is rewritten. */
function editToml(source: string, name: string, next: Values): string {
  const edited = setKey(source, name, next[name]);
  try {
    return isDeepStrictEqual({ ...parse(edited) }, next) ? edited : stringify(next);
  } catch {
    return stringify(next);
  }
}
