import { expect, test } from 'vitest';
import { createProgram } from './program.ts';
import { SUMMARIES } from './summaries.ts';

const names = createProgram().commands.map((command) => command.name());

test('every command has a summary, and every summary a command', () => {
  expect(Object.keys(SUMMARIES).toSorted()).toEqual(names.toSorted());
});

test('every command takes one line of the help on a terminal of 80 columns', () => {
  const help = createProgram()
    .configureOutput({ getOutHelpWidth: () => 80 })
    .helpInformation();
  const lines = help.split('\n').filter((line) => /^ {2}[a-z]/.test(line));
  expect(lines).toHaveLength(names.length + 1); // and `help` itself
});
