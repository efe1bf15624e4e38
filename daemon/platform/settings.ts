import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'smol-toml';
import type { KnobState } from '#contract/settings.ts';
import { DaemonError } from '#contract/errors.ts';
import { knobsByName, unknownName } from '../ports/knob-names.ts';
import { type Knob, type KnobValue, parseKnob, type Resolve, type UserResolve } from '../ports/knob.ts';
import { writeFileAtomic } from './files.ts';
import { fileStat, linkStat, readTextIfExists } from './read-file.ts';
import { parseToml, setKey } from './toml.ts';

type Source = KnobState['source'];
type Values = Record<string, unknown>;

export interface CallScope {
  call?: Values | undefined;
  /** The project whose own file counts; null outside of one. */
  projectRoot: string | null | undefined;
}

/** Receives the names of the settings of the user whose value is another now. */
type SettingsListener = (changed: ReadonlySet<string>) => void;

const CHECK_EVERY = 250; // ms between two looks at the home file, which a person may edit at any time

/** The layers a setting is looked up in: call argument, environment, project file, home file, default. */
export class Settings {
  readonly #file: string;
  readonly #environment: Values;
  readonly #knobs: ReadonlyMap<string, Knob>;
  readonly #projects = new Map<string, { stamp: string; values: Values; problem: string }>();
  readonly #listeners: SettingsListener[] = [];
  /** The values that the daemon started with, of settings it reads only then. */
  readonly #atStart: ReadonlyMap<string, KnobValue>;
  #home: Values;
  #homeStamp: string;
  #homeProblem = '';
  #checkedAt = Date.now();

  /** Throws for an invalid value: a daemon that silently ignores a setting is worse than one that does not start. */
  constructor(file: string, environment: NodeJS.ProcessEnv, knobs: readonly Knob[]) {
    this.#file = file;
    this.#knobs = knobsByName(knobs);
    const set = Object.entries(environment).filter(([name, value]) => {
      const knob = this.#knobs.get(name);
      return knob && (value !== '' || knob.type === 'text');
    });
    this.#environment = this.#check(Object.fromEntries(set), 'the environment');
    this.#homeStamp = stampOf(file);
    this.#home = this.#readHome();
    this.#atStart = new Map(
      knobs.filter((knob) => knob.needsRestart).map((knob) => [knob.name, this.#find(knob).value]),
    );
  }

  /** Without a scope, only settings of the user can be read; the others need the project, or null for none. */
  resolver(): UserResolve;
  resolver(scope: CallScope): Resolve;
  resolver(scope: CallScope = { projectRoot: null }): Resolve {
    const call = scope.call && this.#check(scope.call, 'the call');
    let project: Values | null = null;
    // Read once: a recall reads a hundred settings, and looking at the file for each took longer than searching.
    const ofProject = () => (project ??= this.#valuesOf(scope.projectRoot));
    return (knob) => this.#find(knob, call, ofProject).value;
  }

  state(knob: Knob, scope: CallScope = { projectRoot: null }): KnobState {
    const { value, source } = this.#find(knob, scope.call, () => this.#valuesOf(scope.projectRoot));
    const { name, type, doc, min = null, max = null, choices, perProject, needsRestart = false } = knob;
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
      perProject,
      needsRestart,
      awaitsRestart: needsRestart && this.#atStart.get(name) !== value,
    };
  }

  /**
   * Writes the home file, or the file of a project; null removes the setting, so that the user gets the default of
   * later releases.
   */
  set(name: string, value: unknown, projectRoot?: string): Knob {
    const knob = this.#knob(name);
    const file = projectRoot === undefined ? this.#file : projectFile(projectRoot);
    if (projectRoot !== undefined && !knob.perProject)
      throw new DaemonError('bad-knob', notInProject(knob.name));
    const source = readTextIfExists(file) ?? '';
    // The file is read again, because edits a person made since the start must survive.
    const next = { ...parseFile(source, file) };
    this.#check(withEvents(next, file), file);
    for (const old of knob.aliases ?? []) delete next[old];
    if (value === null) delete next[knob.name];
    else next[knob.name] = parseKnob(knob, value);
    const mode = projectRoot === undefined ? 0o600 : 0o644; // a project's file is shared with its repository
    writeFileAtomic(file, editToml(source, knob, next), mode);
    if (projectRoot === undefined) this.#reload();
    return knob;
  }

  /** Reports every change of a user setting, from any source. */
  onChange(listener: SettingsListener): void {
    this.#listeners.push(listener);
  }

  /** Why the home file, as it was last edited, does not count; '' while it does. */
  get homeProblem(): string {
    this.#lookAtHome();
    return this.#homeProblem;
  }

  /** The problems of a project's file, to show to those who work in it; '' if there are none. */
  projectProblem(root: string): string {
    return this.#project(root).problem;
  }

  #find<T extends KnobValue>(
    knob: Knob<T>,
    call?: Values,
    ofProject?: () => Values,
  ): { value: T; source: Source } {
    this.#lookAtHome();
    const set = (values: Values | undefined, source: Source) => {
      const value = values?.[knob.name];
      return value === undefined ? null : { value: parseKnob(knob, value), source };
    };
    return (
      set(call, 'call') ??
      set(this.#environment, 'environment') ??
      (knob.perProject ? set(ofProject?.(), 'project') : null) ??
      set(this.#home, 'home') ?? { value: knob.default, source: 'default' }
    );
  }

  #valuesOf(projectRoot: string | null | undefined): Values {
    return projectRoot ? this.#project(projectRoot).values : {};
  }

  #lookAtHome(): void {
    const now = Date.now();
    if (Math.abs(now - this.#checkedAt) < CHECK_EVERY) return;
    this.#checkedAt = now;
    if (stampOf(this.#file) !== this.#homeStamp) this.#reload();
  }

  /** Reads the home file again. One with a mistake is reported and does not count: the settings stay as they were. */
  #reload(): void {
    this.#homeStamp = stampOf(this.#file);
    const before = this.#home;
    try {
      this.#home = this.#readHome();
      this.#homeProblem = '';
    } catch (error) {
      this.#homeProblem = error instanceof DaemonError ? (error.detail ?? error.message) : String(error);
      return;
    }
    const names = Object.keys({ ...before, ...this.#home });
    const changed = new Set(names.filter((name) => !isDeepStrictEqual(before[name], this.#home[name])));
    if (changed.size > 0) for (const listener of this.#listeners) listener(changed);
  }

  #readHome(): Values {
    return this.#check(
      withEvents(parseFile(readTextIfExists(this.#file) ?? '', this.#file), this.#file),
      this.#file,
    );
  }

  /** A project's file may be somebody else's, so a mistake in it is reported, never fatal. Cached until it changes. */
  #project(root: string): { values: Values; problem: string } {
    const file = projectFile(root);
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
        withEvents(parseFile(readTextIfExists(file, { within: root }) ?? '', file), file),
      )) {
        attempt(() => {
          const [[known, checked] = []] = Object.entries(this.#check({ [name]: value }, file));
          if (known === undefined) return;
          if (!this.#knob(known).perProject)
            throw new DaemonError('bad-knob', `${file}: ${notInProject(known)}`);
          if (name === known || values[known] === undefined) values[known] = checked;
        });
      }
    });
    return { values, problem: problems.join('; ') };
  }

  /** The values under the knobs' own names; one that is given under its own name wins over an alias. */
  #check(values: Values, where: string): Values {
    const checked: Values = {};
    for (const [name, value] of Object.entries(values)) {
      const knob = this.#knobs.get(name);
      if (!knob) throw new DaemonError('bad-knob', `${where}: ${unknownName(name, this.#knobs)}`);
      try {
        parseKnob(knob, value);
      } catch (error) {
        throw error instanceof DaemonError ? new DaemonError('bad-knob', `${where}: ${error.detail}`) : error;
      }
      if (name === knob.name || !Object.hasOwn(values, knob.name)) checked[knob.name] = value;
    }
    return checked;
  }

  #knob(name: string): Knob {
    const knob = this.#knobs.get(name);
    if (!knob) throw new DaemonError('bad-knob', unknownName(name, this.#knobs));
    return knob;
  }
}

const projectFile = (root: string) => join(root, '.reflect', 'config.toml');

const notInProject = (name: string) =>
  `${name} is not read per project; set it in your own configuration with \`reflect config set\``;

/** Changes with the file and with a link in its place, even one that leads nowhere. */
function stampOf(file: string): string {
  const stat = fileStat(file) ?? linkStat(file);
  return stat ? `${stat.mtimeMs}:${stat.size}:${stat.ino}` : '';
}

function parseFile(source: string, file: string): Values {
  try {
    return parseToml(source);
  } catch (error) {
    throw new DaemonError(
      'bad-knob',
      `${file} is not valid TOML: ${(error as Error).message.split('\n')[0]}`,
    );
  }
}

const isTable = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Tables whose keys are settings with a longer name: `similarity_threshold` in `[memory]` is
 * `REFLECT_MEMORY_SIMILARITY_THRESHOLD`.
 */
const TABLES: Readonly<Record<string, string>> = { memory: 'REFLECT_MEMORY', q_learning: 'Q_LEARNING' };

/** Turns a file's tables into settings, and the events in `[events.on]`; a setting under its own name wins. */
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
function editToml(source: string, { name, aliases = [] }: Knob, next: Values): string {
  const old = aliases.filter((key) => Object.hasOwn(parseToml(source), key));
  const edited = [...old, name].reduce((toml, key) => setKey(toml, key, next[key]), source);
  try {
    return isDeepStrictEqual({ ...parseToml(edited) }, next) ? edited : stringify(next);
  } catch {
    return stringify(next);
  }
}
