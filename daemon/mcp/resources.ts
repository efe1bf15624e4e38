import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import type { Call } from '#contract/methods.ts';
import { lean } from './lean.ts';
import { projectOf } from './slot-tools.ts';
import type { Here } from './tool.ts';

interface Document {
  title: string;
  description: string;
  text(call: Call, here: Here): Promise<string>;
}

/** What can be read without asking a question; each is of the project the server works in. */
const DOCUMENTS: Readonly<Record<string, Document>> = {
  conventions: {
    title: 'Conventions',
    description: 'How things are done in this project, drawn from what was corrected again and again',
    text: async (call, { cwd }) => (await call('conventions.get', { cwd })).text,
  },
  persona: {
    title: 'Persona',
    description: 'What is known of this project for certain: tools, styles, habits',
    text: async (call, { cwd }) =>
      (await call('persona.list', { cwd }))
        .map(
          ({ field, value, confidence }) => `- ${field}: ${value} (${Math.round(confidence * 100)} % sure)`,
        )
        .join('\n'),
  },
  slots: {
    title: 'Pinned slots',
    description: 'What every session here starts with',
    text: async (call, here) =>
      (await call('slots.list', { project: projectOf({}, here) }))
        .filter(({ content }) => content !== '')
        .map(({ name, content }) => `## ${name}\n${content}`)
        .join('\n\n'),
  },
};

export function registerResources(
  server: McpServer,
  connected: () => Promise<Call>,
  here: () => Promise<Here>,
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
    { title: 'A learning', description: 'One learning whole, by its id', mimeType: 'application/json' },
    async (uri, { id }) => {
      const found = await (await connected())('learnings.get', { id: String(id) });
      return {
        contents: [
          { uri: uri.href, mimeType: 'application/json', text: JSON.stringify(lean(found), null, 2) },
        ],
      };
    },
  );
}
