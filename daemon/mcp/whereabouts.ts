import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { McpServer } from '@modelcontextprotocol/server';
import type { Here } from './tool.ts';

const PATIENCE = 2_000; // ms; a client that says it has roots and does not tell them must not keep its agent waiting

/** Where the agent works: in the folder its client names, else in the one the server was started in. Asked once, and again when it changes. */
export function whereabouts({ server }: McpServer, cwd: string): () => Promise<Here> {
  let asked: Promise<Here> | null = null;
  server.setNotificationHandler('notifications/roots/list_changed', () => void (asked = null));
  return () =>
    (asked ??= folders().then((named) => ({
      cwd: named.some((folder) => holds(folder, cwd)) ? cwd : (named[0] ?? cwd),
    })));

  async function folders(): Promise<string[]> {
    if (!server.getClientCapabilities()?.roots) return [];
    try {
      const { roots } = await server.listRoots(undefined, { timeout: PATIENCE });
      return roots.filter(({ uri }) => uri.startsWith('file://')).map(({ uri }) => fileURLToPath(uri));
    } catch {
      return []; // newer clients name them no more, and others only say that they could
    }
  }
}

function holds(folder: string, cwd: string): boolean {
  const way = relative(folder, cwd);
  return !way.startsWith('..') && !isAbsolute(way);
}
