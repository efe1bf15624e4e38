import { randomUUID } from 'node:crypto';

interface Where {
  cwd: string;
  session?: string;
  branch?: string;
  /** When it begins. */
  at?: number;
}

/** Writes a Claude Code transcript line by line, as the agent itself would. */
export class ClaudeSession {
  readonly id: string;
  readonly #cwd: string;
  readonly #branch: string;
  #at: number;

  constructor({ cwd, session = randomUUID(), branch = 'main', at = Date.UTC(2026, 5, 1, 9) }: Where) {
    this.id = session;
    this.#cwd = cwd;
    this.#branch = branch;
    this.#at = at;
  }

  human(text: string): string {
    return this.#record('user', { role: 'user', content: text });
  }

  agent(text: string): string {
    return this.#record('assistant', { role: 'assistant', content: [{ type: 'text', text }] });
  }

  toolCall(name: string, input: object, id = `toolu_${randomUUID().slice(0, 8)}`): string {
    return this.#record('assistant', { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] });
  }

  toolResult(toolUseId: string, content: string, { failed = false } = {}): string {
    return this.#record('user', {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: toolUseId, is_error: failed, content }],
    });
  }

  rejection(words: string, toolUseId = 'toolu_1'): string {
    const content = `The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n${words}`;
    return this.#record('user', {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: toolUseId, is_error: true, content }],
    });
  }

  interruption(): string {
    return this.#record('user', {
      role: 'user',
      content: [{ type: 'text', text: '[Request interrupted by user]' }],
    });
  }

  #record(type: string, message: object): string {
    this.#at += 1_000;
    return `${JSON.stringify({
      parentUuid: null,
      isSidechain: false,
      userType: 'external',
      cwd: this.#cwd,
      sessionId: this.id,
      version: '2.1.0',
      gitBranch: this.#branch,
      type,
      message,
      uuid: randomUUID(),
      timestamp: new Date(this.#at).toISOString(),
    })}\n`;
  }
}
