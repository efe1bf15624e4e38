import { text } from '../ports/knob.ts';

/** The person's own configuration alone: a cloned repository must not name a command. */
export const TEAM_KNOBS = {
  passwordCommand: text(
    'REFLECT_TEAM_PASSWORD_COMMAND',
    '',
    'A shell command that prints the password of your team’s server, for example from the system’s keychain; it gets PGHOST, PGPORT, PGDATABASE and PGUSER. If empty, PGPASSWORD or the password file is used',
  ),
};
