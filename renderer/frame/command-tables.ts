import { graphCommands } from '../graph/commands.ts';
import { inboxCommands } from '../inbox/commands.ts';
import { labCommands } from '../lab/commands.ts';
import { learningsCommands } from '../learnings/commands.ts';
import { privacyCommands } from '../privacy/commands.ts';
import { sessionsCommands } from '../sessions/commands.ts';
import { settingsCommands } from '../settings/commands.ts';
import { slotsCommands } from '../slots/commands.ts';
import { teamCommands } from '../team/commands.ts';
import { utilityCommands } from '../utility/commands.ts';
import { welcomeCommands } from '../welcome/commands.ts';
import type { CommandTable } from './command-table.ts';
import { editingCommands, globalCommands, pageCommands } from './global-commands.ts';

/** Every command there is, in the order of the list of keys. */
export const COMMAND_TABLES: readonly CommandTable[] = [
  globalCommands,
  pageCommands,
  editingCommands,
  learningsCommands,
  inboxCommands,
  labCommands,
  graphCommands,
  slotsCommands,
  sessionsCommands,
  utilityCommands,
  teamCommands,
  settingsCommands,
  privacyCommands,
  welcomeCommands,
];
