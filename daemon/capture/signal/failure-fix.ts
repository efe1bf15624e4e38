import { flag, integer, number } from '../../ports/knob.ts';
import { type Lesson, signal } from '../port.ts';
import { plainText, readTestRun } from '../test-runners.ts';
import {
  commandOf,
  essence,
  filesChangedBy,
  hasFailed,
  listFiles,
  type ToolUse,
  ToolUses,
} from '../tool-use.ts';

/** Ways to fail: a command that cannot work, one that failed, a linter's rule, or a check that checked nothing. */
type Trouble = 'called-wrong' | 'failed' | 'rule' | 'nothing-checked';

interface Failure {
  use: ToolUse;
  command: string;
  trouble: Trouble;
  error: string;
  /** The message says what to do about it. */
  remedy: boolean;
  /** Number of commands run since. */
  age: number;
  files: string[];
  /** Commands run since that did not fail. */
  between: string[];
}

/** Messages of a harness about itself, and calls that were stopped: they teach nothing about the project. */
const GENERIC = new RegExp(
  [
    'file does not exist',
    'string to replace not found',
    'file has not been read',
    'file has been modified',
    '<tool_use_error>',
    "user doesn't want",
    'rejected by',
    'sandbox',
    'permission denied',
    'operation not permitted',
    'requires approval',
    'was blocked',
    'interrupted',
    'timed out',
    'cancelled',
    'canceled',
    'sibling tool call',
  ].join('|'),
  'i',
);
// Programs whose failure means "nothing found", which is an answer, unless they were called in a wrong way.
const ASKING = new Set(
  'grep rg ls cat find head tail test [ diff cd echo which command sleep pgrep kill pkill curl stat wc true false sed awk'.split(
    ' ',
  ),
);
const CALLED_WRONG =
  /\b(?:unrecogni[sz]ed|invalid|illegal|unknown|unexpected) (?:option|argument|flag|subcommand|command)\b|\baccepts (?:at most )?\d+ arg/i;
const WITH_VERBS =
  /^(?:git|gh|npm|npx|pnpm|yarn|bun|bunx|go|cargo|docker|kubectl|make|mise|just|task|uv|pip|poetry|dotnet|mvn|terraform|helm|brew|apt|apt-get|systemctl)$/;
const ERROR_LINE =
  /\b(?:error|fatal|cannot|can't|could not|couldn't|not found|no such|unknown|unrecogni[sz]ed|invalid|unexpected|missing|failed|denied|refused|usage|undefined|duplicate|did not match|no matches)\b/i;
/** Behind a pipe the exit code is another program's; these lines are still the first one's last words. */
const HIDDEN_ERROR =
  /^(?:error(?:\[\w+\])?: |fatal: |(?:unknown|unrecogni[sz]ed|invalid) (?:flag|option|argument|command)\b|npm (?:error|ERR!) |\S+: (?:command not found|unrecogni[sz]ed|invalid|illegal|unknown)\b|\(eval\):\d+: |zsh:\d+: )/i;
const PIPED = /[|;]/;
/**
 * A linter's finding names a place and a rule: `a.go:3:1: message (rule)`, `a.md:3 MD040/rule message`, `3:1 error
 * message rule`.
 */
const LINT_FINDINGS = [
  /^\S+:\d+(?::\d+)?:?\s+(.{8,200} \([a-z][\w-]*\))$/,
  /^\S+:\d+(?::\d+)?:?\s+((?:error )?[A-Z]{1,6}\d{2,5}\b.{8,200})$/,
  /^\d+:\d+\s+(?:error|warning)\s+(.{8,200}\s[\w@/-]+)$/,
];
const NOTHING_CHECKED =
  /\b(?:no tests? (?:found|to run|ran|files?)|0 tests?\b|no files? (?:matched|matching|found)|ran 0 |collected 0 items)/i;
/** Lines of a program that runs others about them, and the compiler's errors that a linter passes on. */
const SAYS_LITTLE =
  /^(?:exit code:? \d+|error: exit code|\$ |output:$|error: script |error: \w+ failed|\[\w+\] error task failed)|\(typecheck\)$/i;
const CHECKS = /\b(?:test|lint|check|vet|tsc|eslint|pytest|jest|vitest|biome|ruff|mypy)/i;
const NAMES_REMEDY =
  /\b(?:(?:please |try |to )?(?:run|running|use|using)\b.{0,40}[`'"$]|hint:|did you mean|instead|not trusted|you (?:must|need to|should|modified))/i;
const LONGEST_ERROR = 240;
const LINES_READ = 400;

export const failureFix = signal({
  id: 'signal.failure-fix',
  seeds: [],
  doc: 'Notices a command that failed and what worked instead, a linter rule that was satisfied, and a check that checked nothing.',
  switch: flag('REFLECT_SIGNAL_FAILURE_FIX', true, 'Learn which commands fail and what works instead'),
  knobs: {
    within: integer('REFLECT_FIX_WITHIN', {
      default: 8,
      min: 1,
      max: 100,
      doc: 'Within how many commands the working variant must follow',
    }),
    likeness: number('REFLECT_FIX_LIKENESS', {
      default: 0.4,
      min: 0,
      max: 1,
      doc: 'Share of words the failing and the working command must have in common',
    }),
  },
  start({ within, likeness }) {
    const uses = new ToolUses();
    let failures: Failure[] = [];
    return {
      see(event): Lesson[] {
        if (event.kind === 'tool_call')
          for (const failure of failures) failure.files.push(...filesChangedBy(event));
        const use = uses.follow(event);
        const command = use && commandOf(use.call);
        if (!command) return [];
        failures = failures
          .map((failure) => ({ ...failure, age: failure.age + 1 }))
          .filter(({ age }) => age <= within);
        const trouble = troubleIn(use, command);
        if (trouble) failures.push({ use, command, ...trouble, age: 0, files: [], between: [] });
        if (trouble || hasFailed(use.result)) return [];
        const fixed = failures.findLast((failure) => isFixedBy(failure, command, likeness));
        failures = failures.filter((failure) => failure !== fixed);
        if (!ASKING.has(programOf(command))) for (const failure of failures) failure.between.push(command);
        return fixed ? [lesson(fixed, command)] : [];
      },
    };
  },
});

/** The trouble that a command's output shows; null for what went well, and for failures that teach nothing. */
function troubleIn(
  { result }: ToolUse,
  command: string,
): Pick<Failure, 'trouble' | 'error' | 'remedy'> | null {
  const failed = hasFailed(result);
  if (!failed && !PIPED.test(command) && !CHECKS.test(command)) return null;
  const lines = linesOf(result.output);
  const [trouble, error] = failed
    ? failureIn(lines, command, result.output)
    : hiddenFailureIn(lines, command, result.output);
  return error === undefined || GENERIC.test(result.output)
    ? null
    : {
        trouble,
        error: error.slice(0, LONGEST_ERROR),
        remedy: lines.some((line) => NAMES_REMEDY.test(line)),
      };
}

type Finding = [trouble: Trouble, line: string | undefined];

function failureIn(lines: readonly string[], command: string, output: string): Finding {
  const wrong = lines.find((line) => CALLED_WRONG.test(line));
  if (wrong !== undefined) return ['called-wrong', wrong];
  if (ASKING.has(programOf(command)) || readTestRun(command, output)) return ['failed', undefined];
  const rule = lintFinding(lines);
  if (rule !== undefined) return ['rule', rule];
  return ['failed', lines.find((line) => ERROR_LINE.test(line)) ?? lines.at(-1)];
}

/** An exit code of 0 proves nothing behind a pipe, nor for a check that had nothing to check. */
function hiddenFailureIn(lines: readonly string[], command: string, output: string): Finding {
  if (readTestRun(command, output)) return ['failed', undefined];
  const nothing = CHECKS.test(command) ? lines.find((line) => NOTHING_CHECKED.test(line)) : undefined;
  if (nothing !== undefined) return ['nothing-checked', nothing];
  if (!PIPED.test(command)) return ['failed', undefined];
  const rule = CHECKS.test(command) ? lintFinding(lines) : undefined;
  if (rule !== undefined) return ['rule', rule];
  const error = [...lines.slice(0, 5), ...lines.slice(-3)].find((line) => HIDDEN_ERROR.test(line));
  return [error !== undefined && CALLED_WRONG.test(error) ? 'called-wrong' : 'failed', error];
}

const linesOf = (output: string) =>
  plainText(output)
    .split('\n', LINES_READ)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !SAYS_LITTLE.test(line));

/** The first rule a linter names, without its place. */
function lintFinding(lines: readonly string[]): string | undefined {
  for (const line of lines)
    for (const pattern of LINT_FINDINGS) {
      const finding = pattern.exec(line)?.[1];
      if (finding) return finding.replace(/\s+/g, ' ');
    }
  return undefined;
}

function isFixedBy(failure: Failure, worked: string, likeness: number): boolean {
  const { command, trouble, remedy, files, between } = failure;
  if (trouble === 'nothing-checked' && !CHECKS.test(worked)) return false;
  if (isVariant(command, worked, likeness) || isRewrapped(command, worked)) return true;
  // A rule that was met, and a message that says what to do, are worth knowing whatever was edited in between.
  if (trouble === 'rule' || remedy)
    return subjectOf(command) === subjectOf(worked) && files.length + between.length > 0;
  return worksAfterAnother(failure, worked);
}

const programOf = (command: string) => bareWords(command)[0] ?? '';

/** The words of a command, without settings for its environment. */
const bareWords = (command: string) =>
  essence(command)
    .replace(/^(?:export\s+\w+=\S+\s*(?:&&|;)\s*|\w+=\S+\s+)+/, '')
    .split(/\s+/);

/** The subject of a command: `git push`, `npm run build`; for others the program alone. */
function subjectOf(command: string): string {
  const [program = '', verb = '', object = ''] = bareWords(command).filter((word) => !word.startsWith('-'));
  if (!WITH_VERBS.test(program)) return program;
  return verb === 'run' || verb === 'exec' ? `${program} ${verb} ${object}` : `${program} ${verb}`;
}

/**
 * The same command works once another one was run; after an edit of files it is the edit that counts, and that is no
 * trick to remember.
 */
function worksAfterAnother({ command, between, files }: Failure, worked: string): boolean {
  return (
    files.length === 0 &&
    essence(command) === essence(worked) &&
    between.some((other) => essence(other) !== essence(worked))
  );
}

/** The same program with mostly the same words, and yet another command. */
function isVariant(failed: string, worked: string, likeness: number): boolean {
  const [one, other] = [essence(failed), essence(worked)];
  if (one === other || subjectOf(failed) !== subjectOf(worked)) return false;
  const [words, others] = [wordsOf(one), wordsOf(other)];
  const shared = [...words].filter((word) => others.has(word)).length;
  return shared / Math.min(words.size, others.size) >= likeness && shared > 1;
}

/** The same command behind another program, or without it: `rtk bun test` and `bun test`, `npx x` and `pnpm x`. */
function isRewrapped(failed: string, worked: string): boolean {
  const [one, other] = [bareWords(failed), bareWords(worked)];
  if (one[0] === other[0]) return false;
  const begins = (words: string[], beginning: string[]) =>
    beginning.length > 0 && beginning.slice(0, 2).every((word, index) => words[index] === word);
  return begins(one.slice(1), other) || begins(other.slice(1), one) || begins(one.slice(1), other.slice(1));
}

const wordsOf = (command: string) => new Set(command.split(/[\s"'=]+/).filter(Boolean));

const REASONS: Record<Trouble, string> = {
  'called-wrong': 'a command cannot be called that way, and another one worked',
  failed: 'a command failed and another one worked',
  rule: "a linter's rule was met",
  'nothing-checked': 'a check that checked nothing was put right',
};
/** About the share of such moments that were lessons in labelled sessions. */
const SCORES: Record<Trouble, number> = {
  'called-wrong': 0.8,
  failed: 0.25,
  rule: 0.4,
  'nothing-checked': 0.25,
};

function lesson(failure: Failure, worked: string): Lesson {
  const { use, command, trouble, error } = failure;
  return {
    sees: 'lesson',
    type: 'gotcha',
    trigger: use.result,
    score: SCORES[trouble],
    why: [REASONS[trouble]],
    quote: `\`${essence(command)}\` ${trouble === 'rule' ? 'reports' : 'fails'} (${error}); ${remedyOf(failure, worked)}.`,
    recurring: signatureOf(programOf(command), error),
  };
}

function remedyOf({ use, command, trouble, files, between }: Failure, worked: string): string {
  // Edits do not change how a command must be called.
  const isEdited = files.length > 0 && trouble !== 'called-wrong';
  const edited = isEdited ? ` after changes to ${listFiles(files, use.call.cwd)}` : '';
  if (essence(command) !== essence(worked)) return `\`${essence(worked)}\` works${edited && `,${edited}`}`;
  return edited ? `it passes${edited}` : `it works after \`${essence(between.at(-1) ?? '')}\``;
}

/** One name for a failure wherever and whenever it happens: paths, numbers, hashes and quoted names are left out. */
export function signatureOf(program: string, error: string): string {
  const bare = error
    .toLowerCase()
    .replace(/(["'`])[^"'`]*\1/g, '_')
    .replace(/(?:[a-z]:)?[\w.~@-]*[\\/][\w.~@\\/-]*/g, '_')
    .replace(/\b[0-9a-f]{7,64}\b/g, '_')
    .replace(/\d+/g, '_')
    .replace(/\s+/g, ' ');
  return `${program}: ${bare.trim()}`;
}
