import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { isKeptFromAgents } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import type { Call } from '#contract/methods.ts';
import { lean } from './lean.ts';
import { type WorkingFolder, projectAt } from './working-folder.ts';

interface Document {
  title: string;
  description: string;
  text: (call: Call, here: WorkingFolder) => Promise<string>;
}

/** Documents of the project the server works in, readable without a query. */
const DOCUMENTS: Readonly<Record<string, Document>> = {
  conventions: {
    title: 'Conventions',
    description: 'How this project works, distilled from repeated corrections',
    text: async (call, { cwd }) => (await call('conventions.get', { cwd })).text,
  },
  persona: {
    title: 'Persona',
    description: 'Known facts about this project: tools, styles, habits',
    text: async (call, { cwd }) =>
      (await call('persona.list', { cwd }))
        .map(
          ({ field, value, confidence }) => `- ${field}: ${value} (${Math.round(confidence * 100)} % sure)`,
        )
        .join('\n'),
  },
  slots: {
    title: 'Pinned slots',
    description: 'Text that every session here starts with',
    text: async (call, { cwd }) =>
      (await call('slots.list', { project: projectAt(cwd) }))
        .filter(({ content }) => content !== '')
        .map(({ name, content }) => `## ${name}\n${content}`)
        .join('\n\n'),
  },
};

export function registerResources(
  server: McpServer,
  connected: () => Promise<Call>,
  here: () => Promise<WorkingFolder>,
): void {
  for (const [name, { title, description, text }] of Object.entries(DOCUMENTS)) {
    server.registerResource(
      name,
      `reflect://${name}`,
      { title, description, mimeType: 'text/markdown' },
      async (uri) => ({
        contents: [
          { uri: uri.href, mimeType: 'text/markdown', text: await text(await connected(), await here()) },
        ],
      }),
    );
  }
  const learning = new ResourceTemplate('reflect://learnings/{id}', { list: undefined });
  server.registerResource(
    'learning',
    learning,
    { title: 'A learning', description: 'One learning, by id', mimeType: 'application/json' },
    async (uri, { id }) => {
      const found = await (await connected())('learnings.get', { id: String(id) });
      if (isKeptFromAgents(found)) throw new DaemonError('not-found', `learning ${found.id}`);
      return {
        contents: [
          { uri: uri.href, mimeType: 'application/json', text: JSON.stringify(lean(found), null, 2) },
        ],
      };
    },
  );
}
