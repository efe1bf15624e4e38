import type { Failure } from './report.ts';

const FORMS: ReadonlyArray<{ line: RegExp; type: Failure['type'] }> = [
  {
    line: /^(?<file>[^\s(][^(\n]*)\((?<row>\d+),(?<column>\d+)\): error (?<message>TS\d+: .+)$/,
    type: 'type_error',
  },
  {
    line: /^(?<file>[^\s:]+):(?<row>\d+):(?<column>\d+) - error (?<message>TS\d+: .+)$/,
    type: 'type_error',
  },
  {
    line: /^(?<file>[^\s:]+\.pyi?):(?<row>\d+)(?::(?<column>\d+))?: error: (?<message>.+)$/,
    type: 'type_error',
  },
  {
    line: /^(?<file>[^\s:]+):(?<row>\d+):(?<column>\d+): (?:fatal )?error: (?<message>.+)$/,
    type: 'syntax_error',
  },
  { line: /^(?<file>[^\s:]+):(?<row>\d+):(?<column>\d+): (?<message>[A-Z]+\d+ .+)$/, type: 'lint_error' },
];
const ESLINT = /^\s+(\d+):(\d+)\s+error\s+(.+?)(?:\s{2,}(\S+))?$/;

/** Errors in what compilers and linters print: tsc, mypy, gcc, clang, ruff, ESLint. */
export function readCompilerErrors(text: string): Failure[] {
  let file = '';
  return text.split(/\r?\n/).flatMap((line): Failure[] => {
    // ESLint names a file once, above its errors.
    if (/^(?:\/|[A-Za-z]:\\|\.{0,2}\/?\w)[^:]*\.\w+$/.test(line)) file = line;
    const [, row, column, message, rule] = ESLINT.exec(line) ?? [];
    if (message !== undefined && file !== '')
      return [
        {
          type: 'lint_error',
          message,
          file,
          line: Number(row),
          column: Number(column),
          ...(rule ? { rule } : {}),
        },
      ];
    const form = FORMS.find((each) => each.line.test(line));
    const found = form?.line.exec(line)?.groups;
    if (!form || !found) return [];
    return [
      {
        type: form.type,
        message: found.message ?? '',
        file: found.file ?? '',
        line: Number(found.row),
        ...(found.column ? { column: Number(found.column) } : {}),
      },
    ];
  });
}
