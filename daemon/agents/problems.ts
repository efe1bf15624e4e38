/** A configuration text that cannot be edited. The message completes "<file> …"; lines count from 1. */
export class ConfigProblem extends Error {
  override readonly name = 'ConfigProblem';
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

/** An installation that was refused, with the reason for the user. Nothing has been changed. */
export class InstallError extends Error {
  override readonly name = 'InstallError';
}

export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
