import { existsSync } from 'node:fs';
import { findProgram } from '../platform/find-program.ts';
import type { Agent, InstallContext, Target } from './agent.ts';
import {
  linked,
  missingFolders,
  readConfig,
  refuseReadOnly,
  removeEmptyFolders,
  writeConfig,
} from './config/config-file.ts';
import { ConfigProblem, InstallError } from './problems.ts';
import { sha256 } from '../platform/sha256.ts';
import type { InstallRecord, InstallRecords } from './records.ts';

/** One file as it is and as it will be; null stands for no file. */
export interface Change {
  file: string;
  holds: string;
  before: string | null;
  after: string | null;
}

interface Planned extends Change {
  /** Updates the install records after the file is written. */
  note: () => void;
}

/** True if this agent is on the machine: its folder exists or its program is on the PATH. */
export function isPresent(agent: Agent, context: InstallContext): boolean {
  return existsSync(agent.folder(context)) || programOf(agent, context.environment) !== null;
}

/** The agent's program on the PATH. */
export function programOf(
  { program }: Pick<Agent, 'program'>,
  environment: NodeJS.ProcessEnv,
): string | null {
  return findProgram(program, environment);
}

export function requirePresent(agent: Agent, context: InstallContext): void {
  if (isPresent(agent, context)) return;
  throw new InstallError(
    `${agent.name} is not installed (no ${agent.folder(context)}, no \`${agent.program}\` on the PATH). Install it and start it once.`,
  );
}

/**
 * Installs Reflect in an agent. Every file is checked before the first is written; files that are up to date are not
 * touched.
 */
export function install(
  agent: Agent,
  context: InstallContext,
  records: InstallRecords,
  dryRun = false,
): Change[] {
  return carryOut(
    agent.targets(context).map((target) => planInstall(agent, target, records)),
    dryRun,
  );
}

/**
 * Uninstalls Reflect: restores the original bytes if the file was not edited since, otherwise removes only our entries.
 */
export function uninstall(
  agent: Agent,
  context: InstallContext,
  records: InstallRecords,
  dryRun = false,
): Change[] {
  return carryOut(
    agent.targets(context).map((target) => planUninstall(target, records)),
    dryRun,
  );
}

function planInstall(agent: Agent, { file: named, edit, holds }: Target, records: InstallRecords): Planned {
  const file = linked(named);
  const before = readConfig(file);
  return explained(file, () => {
    const after = edit.apply(before ?? '');
    const record = records.of(file);
    const untouched =
      record && before !== null && sha256(before) === record.sha256 ? records.original(record) : undefined;
    const original =
      untouched !== undefined
        ? untouched
        : before !== null && edit.isIn(before)
          ? withoutOurs(edit, before, record, records)
          : before;
    const folders = record?.folders ?? missingFolders(file);
    return {
      file,
      holds,
      before,
      after,
      note: () =>
        records.put({
          file,
          agent: agent.id,
          backup: records.keep(file, original),
          sha256: sha256(after),
          folders,
        }),
    };
  });
}

function withoutOurs(
  edit: Target['edit'],
  text: string,
  record: InstallRecord | undefined,
  records: InstallRecords,
): string | null {
  const original = (record && records.original(record)) ?? null;
  const rest = edit.remove(text, original);
  return record?.backup === null && edit.isEmpty(rest) ? null : rest;
}

function planUninstall({ file: named, edit, holds }: Target, records: InstallRecords): Planned {
  const file = linked(named);
  const before = readConfig(file);
  const record = records.of(file);
  return explained(file, () => {
    const note = () => {
      if (!record) return;
      if (!existsSync(file)) removeEmptyFolders(record.folders);
      records.drop(record);
    };
    if (before === null || !edit.isIn(before)) return { file, holds, before, after: before, note };
    const original = record && records.original(record);
    if (record && original !== undefined && sha256(before) === record.sha256)
      return { file, holds, before, after: original, note };
    const rest = edit.remove(before, original ?? null);
    // A file we created is deleted if it never held anything else.
    return {
      file,
      holds,
      before,
      after: edit.isEmpty(rest) && (record ? record.backup === null : rest === '') ? null : rest,
      note,
    };
  });
}

function carryOut(plans: Planned[], dryRun: boolean): Change[] {
  const changes = plans.map(({ file, holds, before, after }) => ({ file, holds, before, after }));
  if (dryRun) return changes;
  for (const { file, before, after } of plans) if (before !== after) refuseReadOnly(file);
  const written: Planned[] = [];
  try {
    for (const plan of plans) {
      write(plan);
      written.push(plan);
    }
  } catch (error) {
    for (const { file, before, after } of written) if (before !== after) writeConfig(file, before);
    throw error;
  }
  for (const { note } of plans) note();
  return changes;
}

function write({ file, before, after }: Planned): void {
  if (before === after) return;
  // The agent itself may write this file at any time.
  if (readConfig(file) !== before)
    throw new InstallError(`${file} was changed by another program just now; run the command again`);
  writeConfig(file, after);
}

function explained<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ConfigProblem)) throw error;
    throw new InstallError(
      `${file}${error.line ? `, line ${error.line},` : ''} ${error.message}. Nothing was changed`,
    );
  }
}
