import { flag } from '../../ports/knob.ts';
import { signal } from '../port.ts';
import { commandOf, essence, hasFailed, ToolUses } from '../tool-use.ts';

/** A kind of work that every project has one command for. */
interface Routine {
  /** Its words are looked for in questions: "How do we run the tests?" */
  field: string;
  does: string;
  /** The name of the task, where a task runner runs it. */
  task: RegExp;
  /** The command itself, where none does. */
  command: RegExp;
}

const ROUTINES: readonly Routine[] = [
  {
    field: 'run_tests',
    does: 'Run the tests',
    task: /^(?:unit-?)?tests?$/,
    command:
      /^(?:cargo (?:test|nextest run)|go test|pytest|vitest run|jest|dotnet test|swift test|mix test)$/,
  },
  {
    field: 'run_lint',
    does: 'Lint',
    task: /^lint$/,
    command: /^(?:eslint|golangci-lint run|ruff check|cargo clippy|biome (?:check|lint))$/,
  },
  {
    field: 'format_code',
    does: 'Format the code',
    task: /^(?:fmt|format)$/,
    command: /^(?:prettier --write|cargo fmt|ruff format|black|gofmt -w)$/,
  },
  {
    field: 'check_types',
    does: 'Check the types',
    task: /^(?:typecheck|type-check|check-types|types)$/,
    command: /^(?:tsc(?: --noEmit)?|mypy|pyright)$/,
  },
  {
    field: 'build_project',
    does: 'Build the project',
    task: /^build$/,
    command: /^(?:cargo build|go build|dotnet build|swift build)$/,
  },
];
/** "test:integration": its own tests, with a field of their own. */
const OTHER_TESTS = /^test[:-]([a-z][a-z0-9]{1,20})$/;

const RUNNERS = '(?:npm|pnpm|yarn|bun|deno|mise|just|make|task|nx|turbo|gradle|\\./gradlew|mvn|poetry|uv)';
const TASK = new RegExp(`^${RUNNERS}(?: run| task)?(?: -r| --silent| -s)? (?<name>[\\w:-]+)$`);
/** Words that only stand in front of a command. */
const WRAPPED = /^(?:[A-Z_][A-Z0-9_]*=\S+ |time |rtk |npx |bunx |pnpm exec |pnpm dlx |uvx )+/;
/** The whole project, said with an argument. */
const EVERYTHING = / (?:\.|\.\/\.\.\.|\.\/|--all|--workspace|--all-targets)$/;

/** The routine that a command carries out on the whole project; null for a part of it, and for any other command. */
export function routineOf(line: string): { field: string; does: string; command: string } | null {
  const command = line.replace(WRAPPED, '').trim();
  const name = command.match(TASK)?.groups?.name;
  const other = name?.match(OTHER_TESTS)?.[1];
  if (other) return { field: `run_${other}_tests`, does: `Run the ${other} tests`, command };
  const known = ROUTINES.find(({ task, command: direct }) =>
    name === undefined ? direct.test(command.replace(EVERYTHING, '')) : task.test(name),
  );
  return known ? { field: known.field, does: known.does, command } : null;
}

export const routine = signal({
  id: 'signal.routine',
  seeds: ['O1', 'O3'],
  doc: 'Notices with which commands a project is tested, linted, formatted, type-checked and built.',
  switch: flag('REFLECT_SIGNAL_ROUTINE', true, 'Notice the commands that test and build a project'),
  knobs: {},
  start() {
    const uses = new ToolUses();
    const seen = new Set<string>();
    return {
      see(event) {
        const use = uses.follow(event);
        const line = use && !hasFailed(use.result) ? commandOf(use.call) : null;
        return (line ? essence(line).split(/\s*(?:&&|;)\s*/) : []).flatMap((part) => {
          const found = routineOf(part);
          if (!found || seen.has(found.command)) return [];
          seen.add(found.command);
          return [{ sees: 'routine' as const, ...found }];
        });
      },
    };
  },
});
