import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Peer } from './peer.ts';

const PACKAGE = '@modelcontextprotocol/server-memory';

interface Reply {
  id?: number;
  result?: { content?: Array<{ text: string }> };
  error?: { message: string };
}

/** The reference memory of MCP: a file of entities, in which a search looks for the question as a whole. */
export const memoryServer: Peer = {
  name: 'MCP memory server, substrings',
  packages: { [PACKAGE]: '2026.8.31' },
  byMeaning: false,
  most: 10_000, // every search reads its whole file
  async open(modules, folder, documents) {
    const main = createRequire(join(modules, 'package.json')).resolve(`${PACKAGE}/dist/index.js`);
    const server = spawn(process.execPath, [main], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
    });
    const waiting = new Map<number, (reply: Reply) => void>();
    createInterface(server.stdout).on('line', (line) => {
      const reply = JSON.parse(line) as Reply;
      waiting.get(reply.id ?? -1)?.(reply);
    });
    server.once('exit', () => waiting.forEach((answer) => answer({ error: { message: 'it has ended' } })));
    const send = (message: object) =>
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    let last = 0;
    const request = async (method: string, params: object) => {
      const id = ++last;
      const { result, error } = await new Promise<Reply>((resolve) => {
        waiting.set(id, resolve);
        send({ id, method, params });
      });
      waiting.delete(id);
      if (error) throw new Error(error.message);
      return result?.content?.[0]?.text ?? '';
    };
    await request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    });
    send({ method: 'notifications/initialized' });
    const entities = documents.map(({ id, text }) => ({
      name: id,
      entityType: 'note',
      observations: [text],
    }));
    await request('tools/call', { name: 'create_entities', arguments: { entities } });
    return {
      async search(text, _vector, limit) {
        const found = await request('tools/call', { name: 'search_nodes', arguments: { query: text } });
        const { entities: near } = JSON.parse(found) as { entities: Array<{ name: string }> };
        return near.slice(0, limit).map(({ name }) => name);
      },
      close: () => void server.kill(),
    };
  },
};
