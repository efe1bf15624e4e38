import fc from 'fast-check';
import { parse, stringify } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { editTomlTable } from './toml-text.ts';

const VALUES = { command: '/opt/no de/node', args: ['/opt/reflect.cjs', 'mcp'] };
const edit = editTomlTable(
  ['mcp_servers', 'reflect'],
  VALUES,
  '# Reflect, put here by `reflect install codex`.',
);

const REAL: Record<string, string> = {
  'a careful person': `# Codex, as I like it
model = "gpt-5" # the good one
approval_policy = "on-request"

[mcp_servers.docs]
command = "npx" # needs Node
args = [
  "-y", # no questions
  "docs-mcp",
]

[projects."/home/ada/shop.git"]
trust_level = "trusted"
`,
  traps: `notify = ["sh", "-c", "echo ["]
note = """
[mcp_servers.reflect]
command = "not me \\""" # still inside
"""
literal = '''
[mcp_servers.reflect]'''
[[hooks.Stop]]
hooks = [{ type = "command", command = "date" }]
`,
  'no last line end': '[tui]\ntheme = "dark"',
  Windows: 'model = "gpt-5"\r\n\r\n[tui]\r\ntheme = "dark"\r\n',
  'blank lines at the end': 'model = "gpt-5"\n\n\n',
  nothing: '',
};

describe.each(Object.entries(REAL))('a configuration of %s', (_, original) => {
  const installed = edit.apply(original);

  test('gains our table and keeps its own bytes', () => {
    const before = parse(original);
    expect(parse(installed)).toEqual({
      ...before,
      mcp_servers: { ...(before.mcp_servers as object | undefined), reflect: VALUES },
    });
    expect(installed.startsWith(original)).toBe(true);
  });
  test('does not change when it is applied again', () => expect(edit.apply(installed)).toBe(installed));
  test('is the original, byte for byte, once the table is removed', () =>
    expect(edit.remove(installed, original)).toBe(original));
});

test('tables that Codex adds after ours are kept; those inside ours are removed with it', () => {
  const later = `${edit.apply('model = "x"\n')}\n[mcp_servers.reflect.tools.recall]\napproval_mode = "approve"\n\n# mine\n[mcp_servers.other]\ncommand = "npx"\n`;
  expect(edit.apply(later)).toBe(later);
  expect(edit.remove(later, 'model = "x"\n')).toBe(
    'model = "x"\n\n# mine\n[mcp_servers.other]\ncommand = "npx"\n',
  );
});

test('an existing table is updated in place and keeps the keys its owner added', () => {
  const older =
    '[mcp_servers.reflect]\ncommand = "reflect"\nargs = ["mcp"]\nstartup_timeout_sec = 20 # slow disk\n\n[tui]\ntheme = "dark"\n';
  const updated = edit.apply(older);
  expect(parse(updated)).toEqual({
    mcp_servers: { reflect: { ...VALUES, startup_timeout_sec: 20 } },
    tui: { theme: 'dark' },
  });
  expect(updated).toContain('startup_timeout_sec = 20 # slow disk\n\n[tui]');
});

test('text that is not valid TOML is refused with its line', () => {
  expect(() => edit.apply('a = 1\nb = = 2\n')).toThrow(
    expect.objectContaining({
      line: 2,
      message: expect.stringContaining('is not valid TOML') as string,
    }) as Error,
  );
});

test.each(['mcp_servers = { docs = { command = "npx" } }\n', 'mcp_servers.reflect.command = "reflect"\n'])(
  '%j cannot be edited safely, and is left to its owner',
  (text) => {
    expect(() => edit.apply(text)).toThrow('in a form that cannot be edited safely');
  },
);

const value = fc.oneof(
  fc.string(),
  fc.integer({ min: -1e9, max: 1e9 }),
  fc.boolean(),
  fc.array(fc.string(), { maxLength: 3 }),
);
const table = fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), value, { maxKeys: 4 });
const document = fc
  .record({
    top: table,
    tui: table,
    mcp_servers: fc.dictionary(fc.stringMatching(/^[a-z .]{1,5}$/), table, { maxKeys: 3 }),
  })
  .map(({ top, tui, mcp_servers }) => `# kept\n${stringify({ ...top, tui, mcp_servers })}`);

test('on any document, applying twice equals once, and removing restores the original', () => {
  fc.assert(
    fc.property(document, (original) => {
      const installed = edit.apply(original);
      expect(edit.apply(installed)).toBe(installed);
      expect(edit.remove(installed, original)).toBe(original);
    }),
    { numRuns: 300 },
  );
});
