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

interface Failure {
  use: ToolUse;
  command: string;
  error: string;
  /** Number of commands run since. */
  age: number;
  files: string[];
  /** Commands run since that did not fail. */
  between: string[];
}

/** Messages of a harness about itself, and calls that a person or a sandbox stopped: they teach nothing about the project. */
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
// Programs whose failure means "nothing found", which is an answer.
const ASKING = new Set(
  'grep rg ls cat find head tail test [ diff cd echo which command sleep pgrep kill pkill curl stat wc true false sed awk'.split(
    ' ',
  ),
);
const WITH_VERBS =
  /^(?:git|gh|npm|npx|pnpm|yarn|bun|bunx|go|cargo|docker|kubectl|make|mise|just|task|uv|pip|poetry|dotnet|mvn|terraform|helm|brew|apt|apt-get|systemctl)$/;
const ERROR_LINE =
  /\b(?:error|fatal|cannot|can't|could not|couldn't|not found|no such|unknown|unrecogni[sz]ed|invalid|unexpected|missing|failed|denied|refused|usage|undefined|duplicate|did not match|no matches)\b/i;
const LONGEST_ERROR = 240;

export const failureFix = signal({
  id: 'signal.failure-fix',
  seeds: [],
  doc: 'Notices a command that failed and the variant of it that worked; it becomes a note once several sessions of the project met the same failure.',
  switch: flag('REFLECT_SIGNAL_FAILURE_FIX', true, 'Learn which commands fail and what works instead'),
  knobs: {
    within: integer('REFLECT_FIX_WITHIN', {
      default: 8,
      min: 1,
      max: 100,
      doc: 'How many commands later the working variant may come',
    }),
    likeness: number('REFLECT_FIX_LIKENESS', {
      default: 0.4,
      min: 0,
      max: 1,
      doc: 'How much of their words the failing and the working command must share',
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
        const error = errorOf(use, command);
        if (error !== null) {
          failures.push({ use, command, error, age: 0, files: [], between: [] });
          return [];
        }
        if (hasFailed(use.result)) return [];
        const fixed = failures.findLast(
          (failure) => isVariant(failure.command, command, likeness) || worksAfterAnother(failure, command),
        );
        failures = failures.filter((failure) => failure !== fixed);
        if (!ASKING.has(programOf(command))) for (const failure of failures) failure.between.push(command);
        return fixed ? [lesson(fixed, command)] : [];
      },
    };
  },
});

/** The line that says what went wrong; null for what did not fail, and for failures that teach nothing. */
function errorOf({ result }: ToolUse, command: string): string | null {
  if (
    !hasFailed(result) ||
    GENERIC.test(result.output) ||
    readTestRun(command, result.output) ||
    ASKING.has(programOf(command))
  )
    return null;
  const lines = plainText(result.output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:exit code:? \d+|error: exit code)/i.test(line));
  return (lines.find((line) => ERROR_LINE.test(line)) ?? lines.at(-1))?.slice(0, LONGEST_ERROR) ?? null;
}

const programOf = (command: string) =>
  essence(command)
    .replace(/^(?:\w+=\S+\s+)+/, '')
    .split(/\s+/)[0] ?? '';

/** The subject of a command: `git push`, `npm run build`; for others the program alone. */
function subjectOf(command: string): string {
  const [program = '', verb = '', object = ''] = essence(command)
    .replace(/^(?:\w+=\S+\s+)+/, '')
    .split(/\s+/)
    .filter((word) => !word.startsWith('-'));
  if (!WITH_VERBS.test(program)) return program;
  return verb === 'run' || verb === 'exec' ? `${program} ${verb} ${object}` : `${program} ${verb}`;
}

/** The same command works once another one was run; after an edit of files it is the edit that counts, and that is no trick to remember. */
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

const wordsOf = (command: string) => new Set(command.split(/[\s"'=]+/).filter(Boolean));

function lesson({ use, command, error, files, between }: Failure, worked: string): Lesson {
  const edited = files.length > 0 ? `, after changes to ${listFiles(files, use.call.cwd)}` : '';
  const works =
    essence(command) === essence(worked)
      ? `it works after \`${essence(between.at(-1) ?? '')}\``
      : `\`${essence(worked)}\` works${edited}`;
  return {
    sees: 'lesson',
    type: 'gotcha',
    trigger: use.result,
    score: 0.6,
    why: ['a command failed and a variant of it worked'],
    quote: `\`${essence(command)}\` fails (${error}); ${works}.`,
    recurring: signatureOf(programOf(command), error),
  };
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
