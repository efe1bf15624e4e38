import { fileURLToPath } from 'node:url';
import { DaemonError } from '#contract/errors.ts';
import type { McpServer } from '@modelcontextprotocol/server';
import { identifyProject } from '../platform/project.ts';
import { isInside } from '../platform/safe-path.ts';

const ROOTS_TIMEOUT = 2_000; // ms; a client that promises roots and never sends them must not keep its agent waiting

/** The folder an agent works in; '' when the server cannot know it, and then the agent has to pass it. */
export interface WorkingFolder {
  cwd: string;
}

/** Fills in the folder, unless the agent named another one. */
export const withCwd = <I extends { cwd?: unknown }>(input: I, { cwd }: WorkingFolder): I =>
  input.cwd === undefined && cwd !== '' ? { ...input, cwd } : input;

/** The id of the project a folder belongs to; '' for the global one. */
export const projectAt = (cwd: string): string => identifyProject(cwd)?.id ?? '';

/** An agent writes only into the project it works in. Outside of a project its lesson would hold everywhere. */
export function refuseElsewhere(project: string, here: WorkingFolder): void {
  if (project === '' || (here.cwd !== '' && project !== projectAt(here.cwd)))
    throw new DaemonError('bad-input', 'an agent can write only into the project it works in');
}

/**
 * The folder the client names, or else the one the server was started in. The client is asked once, and again when it
 * says that its folders have changed.
 */
export function workingFolder({ server }: McpServer, cwd: string): () => Promise<WorkingFolder> {
  let here: Promise<WorkingFolder> | null = null;
  server.setNotificationHandler('notifications/roots/list_changed', () => {
    here = null;
  });
  return () =>
    (here ??= clientFolders().then((folders) => ({
      cwd: folders.some((folder) => isInside(folder, cwd)) ? cwd : (folders[0] ?? cwd),
    })));

  async function clientFolders(): Promise<string[]> {
    if (!server.getClientCapabilities()?.roots) return [];
    try {
      const { roots } = await server.listRoots(undefined, { timeout: ROOTS_TIMEOUT });
      return roots.filter(({ uri }) => uri.startsWith('file://')).map(({ uri }) => fileURLToPath(uri));
    } catch {
      return []; // some clients declare roots and do not answer
    }
  }
}
