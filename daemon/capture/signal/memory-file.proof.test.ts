import { expect, test } from 'vitest';
import { SessionEvents } from '../../testing/session-events.ts';
import { memoryFile } from './memory-file.ts';

const RULE = 'Every new `@Entity()` needs a migration that creates its table.';
const session = () => new SessionEvents().human('Add the shares table').agent('Done.');
const uses = (tool: string, input: object, events = session(), failed = false) =>
  events.calls(tool, input).happens({
    kind: 'tool_result',
    callId: `call-${events.events.length - 1}`,
    output: failed ? 'String to replace not found' : 'ok',
    failed,
  });
const edit = (file: string, added: string) => ({
  file_path: `/home/ada/shop/${file}`,
  old_string: '## Database',
  new_string: `## Database\n${added}`,
});
const noticed = (events: SessionEvents, settings = {}) =>
  events
    .noticed(settings)
    .moments.filter(({ signal }) => signal === memoryFile.id)
    .map(({ quote, type }) => ({ quote, type }));

test('a rule the agent writes into its memory file is a lesson in its own words; switched off, nothing', () => {
  const events = uses('Edit', edit('CLAUDE.md', `\n### Entities\n- ${RULE}`));
  expect(noticed(events)).toEqual([{ quote: RULE, type: 'process' }]);
  expect(noticed(events, { [memoryFile.switch.name]: false })).toEqual([]);
});

test.each([
  ['AGENTS.md, written whole', 'Write', { file_path: 'AGENTS.md', content: `# Rules\n\n- ${RULE}\n` }],
  [
    'several edits at once',
    'MultiEdit',
    { file_path: 'GEMINI.md', edits: [{ old_string: 'a', new_string: `a\n${RULE}` }] },
  ],
  [
    'a patch, among other files',
    'apply_patch',
    {
      input: `*** Begin Patch\n*** Update File: a.ts\n+const a = 'a line of code in another file';\n*** Update File: docs/AGENTS.md\n+${RULE}\n*** End Patch`,
    },
  ],
  ['a rule file of an editor', 'Write', { file_path: '.cursor/rules/db.mdc', content: RULE }],
  [
    'a memory of its own',
    'Write',
    { file_path: '/home/ada/.claude/projects/shop/memory/MEMORY.md', content: RULE },
  ],
])('so it is in %s', (_what, tool, input) => {
  expect(noticed(uses(tool, input))).toEqual([{ quote: RULE, type: 'process' }]);
});

test.each([
  ['another file', uses('Edit', edit('README.md', RULE))],
  ['an edit that failed', uses('Edit', edit('CLAUDE.md', RULE), session(), true)],
  ['a heading alone', uses('Edit', edit('CLAUDE.md', '## Entities and how they are made'))],
  [
    'a whole document',
    uses('Write', { file_path: 'CLAUDE.md', content: Array.from({ length: 40 }, () => RULE).join('\n') }),
  ],
])('%s is no lesson', (_what, events) => {
  expect(noticed(events)).toEqual([]);
});

test('how many lines are a document is a setting', () => {
  const events = uses('Edit', edit('CLAUDE.md', `${RULE}\n${RULE.replace('new', 'changed')}`));
  expect(noticed(events, { REFLECT_MEMORY_FILE_LINES: 1 })).toEqual([]);
  expect(noticed(events)).toHaveLength(1);
});
