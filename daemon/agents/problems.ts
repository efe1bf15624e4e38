/** Why a configuration text cannot be edited, in one sentence; the line counts from one. */
export class ConfigProblem extends Error {
  override readonly name = 'ConfigProblem';
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

/** Why an agent could not be plugged in or out, for the person who asked; nothing has been changed. */
export class InstallError extends Error {
  override readonly name = 'InstallError';
}

export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
