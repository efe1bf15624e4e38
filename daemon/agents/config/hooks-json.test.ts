import { parse } from 'jsonc-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editJson } from './hooks-json.ts';

const HOOK = {
  type: 'command',
  command: '/opt/node',
  args: ['/opt/reflect.cjs', 'hook', 'SessionStart', 'claude-code'],
  timeout: 3,
};
const SERVER = { type: 'stdio', command: '/opt/node', args: ['/opt/reflect.cjs', 'mcp'] };
const edit = editJson({
  hooks: { SessionStart: HOOK },
  values: [{ path: ['mcpServers', 'reflect'], value: SERVER }],
});

/** Files as people keep them: other hooks, comments, tabs, trailing commas, everything on one line. */
const REAL: Record<string, string> = {
  'a careful person, with comments': `// my settings, synced from dotfiles
{
  "model": "opus", // the good one
  /* hooks below */
  "hooks": {
    // beep when done
    "Stop": [
      { "hooks": [{ "type": "command", "command": "afplay ~/beep.aiff" }] } // loud
    ],
    "SessionStart": [
      {
        "matcher": "startup",
        "hooks": [
          { "type": "command", "command": "git fetch --quiet", "timeout": 20 }
        ]
      }
    ]
  },
  "mcpServers": {
    "github": { "command": "docker", "args": ["run", "-i", "ghcr.io/github/github-mcp-server"] }
  },
  "permissions": {
    "deny": ["Read(./.env)"]
  }
}
`,
  'tabs and trailing commas':
    '{\n\t"hooks": {\n\t\t"PreToolUse": [\n\t\t\t{"matcher": "Bash", "hooks": [{"type": "command", "command": "./guard.sh"}]},\n\t\t],\n\t},\n}',
  'all on one line': '{"theme":"dark","mcpServers":{"files":{"command":"npx","args":["-y","files"]}}}',
  'written on Windows':
    '{\r\n    "theme": "dark",\r\n    "mcpServers": {\r\n        "files": { "command": "npx" }\r\n    }\r\n}\r\n',
  'with a byte order mark': '\uFEFF{\n  "theme": "dark"\n}\n',
  'empty objects': '{\n  "hooks": {},\n  "mcpServers": {}\n}\n',
  'only a comment': '{\n  // nothing yet\n}\n',
};

describe.each(Object.entries(REAL))('a configuration of %s', (_, original) => {
  const installed = edit.apply(original);

  test('gains our entries and loses nothing', () => {
    const { hooks, mcpServers } = parse(installed.replace('\uFEFF', '')) as {
      hooks: { SessionStart: unknown[] };
      mcpServers: object;
    };
    expect(hooks.SessionStart.at(-1)).toEqual({ hooks: [HOOK] });
    expect(mcpServers).toMatchObject({ reflect: SERVER });
    for (const line of original.split(/\r?\n/))
      expect(installed).toContain(line.trim().replace(/[,\]}]+$/, ''));
  });
  test('does not change when it is applied again', () => expect(edit.apply(installed)).toBe(installed));
  test('is the original, byte for byte, once they are removed', () =>
    expect(edit.remove(installed, original)).toBe(original));
});

test('a comment at the end of a line stays with its line', () => {
  expect(edit.apply('{\n  "model": "opus" // the good one\n}\n')).toContain(
    '"model": "opus", // the good one\n  "mcpServers"',
  );
});

test('later edits by others survive when our entries are removed', () => {
  const installed = edit.apply('{\n  "a": 1\n}\n');
  const edited = installed
    .replace('"a": 1,', '"a": 2,\n  "b": 3, // new')
    .replace('"hooks": [', '"hooks": [\n          { "type": "command", "command": "date" },');
  const rest = edit.remove(edited, '{\n  "a": 1\n}\n');
  expect(parse(rest)).toEqual({
    a: 2,
    b: 3,
    hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'date' }] }] },
  });
  expect(rest).toContain('// new');
});

test('an entry of another or an older Reflect is updated in place', () => {
  const older = `{ "hooks": { "SessionStart": [{ "hooks": [{ "type": "command", "command": "reflect hook SessionStart", "timeout": 9 }] }], "Stop": [
    { "hooks": [{ "type": "command", "command": "'/old place/node' '/old place/reflect.cjs' hook Stop claude-code" }, { "type": "command", "command": "mine" }] }
  ] } }`;
  const updated = parse(edit.apply(older)) as { hooks: Record<string, unknown> };
  expect(updated.hooks).toEqual({
    SessionStart: [{ hooks: [HOOK] }],
    Stop: [{ hooks: [{ type: 'command', command: 'mine' }] }],
  });
});

test('keys that a person or the agent added to our server are kept', () => {
  const edited = edit
    .apply('')
    .replace('"type": "stdio"', '"type": "stdio",\n      "alwaysAllow": ["recall"]');
  expect(edit.apply(edited)).toBe(edited);
});

test.each([
  ['{\n  "a": 1,\n  "b" 2\n}', 3, 'colon expected'],
  ['[1]', 1, 'no JSON object'],
  ['{\n  "hooks": [] }', 2, 'other than an object at hooks'],
  ['{\n  "hooks": {\n "SessionStart": {} } }', 3, 'other than a list at hooks.SessionStart'],
  ['{\n  "mcpServers": "none" }', 2, 'other than an object at mcpServers'],
])('%j is refused with its line', (text, line, why) => {
  expect(() => edit.apply(text)).toThrow(
    expect.objectContaining({ line, message: expect.stringContaining(why) as string }) as Error,
  );
});

/** JSON texts of many shapes: nested, commented, indented in any way. */
const text = fc
  .record({
    value: fc.dictionary(
      fc.constantFrom('a', 'b', 'hooks', 'mcpServers', 'permissions'),
      fc.dictionary(
        fc.constantFrom('x', 'Stop', 'SessionStart', 'github'),
        fc.constantFrom<unknown[]>(
          [],
          [{ hooks: [{ type: 'command', command: 'date' }] }],
          [{ matcher: 'x', hooks: [] }],
        ),
      ),
    ),
    indent: fc.constantFrom<string | number>(0, 2, 4, '\t'),
    eol: fc.constantFrom('\n', '\r\n'),
    end: fc.constantFrom('', '\n'),
    comment: fc.boolean(),
  })
  .map(({ value, indent, eol, end, comment }) => {
    const servers = { ...value.mcpServers, other: { command: 'npx' } };
    const plain = JSON.stringify(
      { ...value, ...(value.mcpServers ? { mcpServers: servers } : {}) },
      null,
      indent,
    );
    const commented =
      comment && indent !== 0
        ? plain.replaceAll(/([^[{,\n]|,)\n/g, (line, last: string) => (last === ',' ? `, // why\n` : line))
        : plain;
    return (commented + end).replaceAll('\n', eol);
  });

test('on any shape, applying twice equals once, and removing restores the original', () => {
  fc.assert(
    fc.property(text, (original) => {
      const installed = edit.apply(original);
      expect(edit.apply(installed)).toBe(installed);
      expect(edit.isIn(installed)).toBe(true);
      expect(edit.remove(installed, original)).toBe(original);
    }),
    { numRuns: 500 },
  );
});
