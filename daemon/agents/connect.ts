import type { AgentChange } from '#contract/agents.ts';
import type { Agent, InstallContext } from './agent.ts';
import { type Change, install, requirePresent, uninstall } from './install.ts';
import { type Launcher, launcherProblem, needsShim } from './launcher.ts';
import { InstallError } from './problems.ts';
import type { InstallRecords } from './records.ts';
import { writeShim } from './shim.ts';
import { unifiedDiff } from '../text/unified-diff.ts';

/** Connects or disconnects an agent; a dry run only says what would change. */
export type Connection = (
  agent: Agent,
  context: InstallContext,
  records: InstallRecords,
  dryRun: boolean,
) => AgentChange;

export const connectAgent: Connection = (agent, context, records, dryRun) => {
  requirePresent(agent, context);
  refuseUnfindable(context.launcher);
  if (needsShim(context.launcher) && !dryRun) writeShim(context.launcher);
  return {
    files: install(agent, context, records, dryRun).map((change) => asFile(change, records)),
    notes: agent.notes?.(context) ?? [],
  };
};

export const disconnectAgent: Connection = (agent, context, records, dryRun) => ({
  files: uninstall(agent, context, records, dryRun).map((change) => asFile(change, records)),
  notes: [],
});

/** Refuses to write the path of a program that agents may not find later. */
export function refuseUnfindable(launcher: Launcher): void {
  const problem = launcherProblem(launcher, process.env);
  if (problem) throw new InstallError(problem);
}

function asFile(
  { file, holds, before, after }: Change,
  records: InstallRecords,
): AgentChange['files'][number] {
  return {
    file,
    holds,
    change: kindOf(before, after),
    diff: unifiedDiff(file, before, after),
    backup: records.copyOf(file),
  };
}

function kindOf(before: string | null, after: string | null): AgentChange['files'][number]['change'] {
  if (before === after) return 'unchanged';
  return before === null ? 'created' : after === null ? 'removed' : 'changed';
}
