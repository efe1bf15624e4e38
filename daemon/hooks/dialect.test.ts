import { describe, expect, test } from 'vitest';
import { acceptsContext, readHook, writeHook } from './dialect.ts';

describe('a hook of every agent is read', () => {
  test.each([
    [
      'Claude Code',
      'UserPromptSubmit',
      {
        session_id: 's',
        cwd: '/shop',
        transcript_path: '/t.jsonl',
        hook_event_name: 'UserPromptSubmit',
        prompt: 'go',
      },
      { event: 'UserPromptSubmit', name: 'UserPromptSubmit' },
    ],
    [
      'Gemini CLI',
      'UserPromptSubmit',
      {
        session_id: 's',
        cwd: '/shop',
        transcript_path: '/t.jsonl',
        hook_event_name: 'BeforeAgent',
        prompt: 'go',
      },
      { event: 'UserPromptSubmit', name: 'BeforeAgent' },
    ],
    [
      'Gemini CLI by its own name',
      'BeforeAgent',
      { session_id: 's', cwd: '/shop', transcript_path: '/t.jsonl', prompt: 'go' },
      { event: 'UserPromptSubmit', name: 'BeforeAgent' },
    ],
    [
      'Copilot CLI',
      'userPromptSubmitted',
      { sessionId: 's', cwd: '/shop', transcriptPath: '/t.jsonl', prompt: 'go', timestamp: 1 },
      { event: 'UserPromptSubmit', name: 'userPromptSubmitted' },
    ],
  ])('%s', (_agent, name, payload, expected) => {
    expect(readHook(name, payload)).toMatchObject({
      session: 's',
      cwd: '/shop',
      transcript: '/t.jsonl',
      prompt: 'go',
      ...expected,
    });
  });

  test('Codex reports the end of a turn in its own way', () => {
    expect(
      readHook('agent-turn-complete', { type: 'agent-turn-complete', 'thread-id': 't', cwd: '/shop' }),
    ).toMatchObject({ event: 'Stop', session: 't' });
    expect(readHook('Stop', { session_id: 's', transcript_path: null, cwd: '/shop' })).toMatchObject({
      event: 'Stop',
      transcript: '',
    });
  });

  test('the action of a tool is its command, in any form, or else its file', () => {
    const action = (payload: object) => readHook('PreToolUse', payload)?.action;
    expect(action({ tool_name: 'Bash', tool_input: { command: 'npm test' } })).toBe('npm test');
    expect(action({ tool_name: 'shell', tool_input: { command: ['npm', 'test'] } })).toBe('npm test');
    expect(action({ toolName: 'bash', toolArgs: '{"command":"npm test"}' })).toBe('npm test');
    expect(action({ toolName: 'bash', toolInput: { command: 'npm test' } })).toBe('npm test');
    expect(action({ tool_name: 'Edit', tool_input: { file_path: '/shop/a.ts', new_string: 'x' } })).toBe(
      '/shop/a.ts',
    );
    expect(action({ toolName: 'bash', toolArgs: 'no json' })).toBe('');
    expect(action({})).toBe('');
  });

  test('a request for permission is known by its event, its kind or its words', () => {
    const asks = (name: string, payload: object) => readHook(name, payload)?.asksPermission;
    expect(asks('PermissionRequest', { tool_name: 'Bash' })).toBe(true);
    expect(asks('Notification', { notification_type: 'permission_prompt', message: 'x' })).toBe(true);
    expect(asks('Notification', { message: 'Claude needs your permission to use Bash' })).toBe(true);
    expect(
      asks('Notification', { notification_type: 'idle_prompt', message: 'Claude is waiting for your input' }),
    ).toBe(false);
  });

  test('an unknown event or an invalid payload is ignored', () => {
    expect(readHook('TeammateIdle', {})).toBeNull();
    expect(readHook('SessionStart', 'x')).toBeNull();
    expect(readHook('SessionStart', { session_id: 7, cwd: ['x'] })).toMatchObject({ session: '', cwd: '' });
  });
});

describe('context is written in the format of the agent', () => {
  test.each([
    [
      'claude-code',
      'SessionStart',
      '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"Use pnpm"}}',
    ],
    [
      'codex',
      'UserPromptSubmit',
      '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"Use pnpm"}}',
    ],
    [
      'gemini-cli',
      'BeforeAgent',
      '{"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"Use pnpm"}}',
    ],
    ['copilot-cli', 'sessionStart', '{"additionalContext":"Use pnpm"}'],
  ])('%s', (agent, name, output) => {
    expect(writeHook(agent, { name }, 'Use pnpm')).toBe(output);
    expect(writeHook(agent, { name }, '')).toBe('');
  });

  test('no context is written where it would be ignored or shown to the person', () => {
    expect(acceptsContext('claude-code', 'UserPromptSubmit')).toBe(true);
    expect(acceptsContext('opencode', 'UserPromptSubmit')).toBe(true);
    expect(acceptsContext('gemini-cli', 'PreToolUse')).toBe(false);
    expect(acceptsContext('copilot-cli', 'UserPromptSubmit')).toBe(true);
    for (const agent of ['claude-code', 'codex', 'gemini-cli', 'copilot-cli'])
      expect(acceptsContext(agent, 'Stop'), agent).toBe(false);
  });
});
