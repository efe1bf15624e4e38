import { homedir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { rememberProject } from '../../store/learnings/learnings.ts';
import { askMerge } from '../../store/learnings/questions.ts';
import { BILLING, sessionStart } from '../../testing/session-start.ts';
import { inject } from './inject.ts';
import { injectForPrompt } from './prompt.ts';
import { sessionQuery } from './session-query.ts';

const note = (title: string, daysAgo: number, more: object = {}) => ({
  title,
  project: BILLING,
  daysAgo,
  ...more,
});

describe('a session that starts', () => {
  test('gets nothing in a project without learnings', async () => {
    const { start } = await sessionStart([{ title: 'Elsewhere', project: 'github.com/acme/shop' }]);
    expect(await start()).toEqual({ text: '', ids: [], tokens: 0 });
  });

  test('gets nothing in the home folder, not even pinned slots', async () => {
    const { parts, skills } = await sessionStart([{ title: 'Everywhere', scope: 'global' }]);
    parts.db.exec(
      `INSERT INTO slot (project, name, content, description, size_limit, updated_at) VALUES ('', 'persona', 'Ada', '', 1000, 1)`,
    );
    expect(await inject({ ...parts, skills }, { cwd: homedir() })).toEqual({ text: '', ids: [], tokens: 0 });
  });

  test('can be previewed from elsewhere, by the id of its project; an unknown project gets nothing', async () => {
    const { parts, skills } = await sessionStart([note('Round per line', 0)]);
    rememberProject(parts.db, { id: BILLING, name: 'billing', root: '/gone/billing' }, parts.now());
    expect((await inject({ ...parts, skills }, { cwd: '/', project: BILLING })).text).toContain(
      'Round per line',
    );
    expect(await inject({ ...parts, skills }, { cwd: '/', project: 'no/such' })).toEqual({
      text: '',
      ids: [],
      tokens: 0,
    });
  });

  test('gets the latest correction, though it shares no word with the subject of the session', async () => {
    const about = Array.from({ length: 6 }, (_, index) => note(`Proto clients rule ${index}`, 20 + index));
    const { start } = await sessionStart([...about, note('Ask before a push', 0)], {
      branch: 'feat/proto-clients',
    });
    const { text, ids } = await start();
    expect(ids).toHaveLength(5);
    expect(text).toContain('Ask before a push');
    expect(text).toContain('Proto clients rule');
  });

  test('gets the learnings on the subject of its branch, though there are newer ones', async () => {
    const since = Array.from({ length: 8 }, (_, index) => note(`Lesson number ${index} on colours`, index));
    const { start } = await sessionStart([...since, note('Regenerate the proto clients', 90)], {
      branch: 'feat/proto-clients',
    });
    expect((await start()).text).toContain('Regenerate the proto clients');
  });

  test('gets one side of an open contradiction, the better proved or else the newer, and hears of the other', async () => {
    const { parts, learnings, start, cwd } = await sessionStart([
      note('Indent with tabs', 3),
      note('Indent with spaces', 1),
      note('Deploy from main', 9, { signals: { proofCount: 4 } }),
      note('Deploy from a release branch', 2),
    ]);
    const [tabs, spaces, main, release] = learnings.map(({ id }) => id);
    const ask = (existingId = '', incomingId = '') =>
      askMerge(parts, { kind: 'contradiction', similarity: 1, existingId, incomingId });
    ask(tabs, spaces);
    ask(main, release);
    const { ids, text } = await start();
    expect(ids.toSorted()).toEqual([spaces, main].toSorted());
    expect(text).toMatch(/Indent with spaces[^]*\n {2}Disputed: “Indent with tabs” says otherwise/);
    expect(text).toContain('Disputed: “Deploy from a release branch” says otherwise');
    const prompted = {
      cwd,
      prompt: 'Should I indent with tabs or with spaces?',
      injected: new Set<string>(),
    };
    expect((await injectForPrompt(parts, prompted)).ids).toEqual([spaces]);
    parts.db.exec(`UPDATE merge_question SET state = 'kept-both'`);
    expect((await start()).ids).toHaveLength(4);
  });

  test('gets warnings first, with the mistake and the alternative, dated and with ids', async () => {
    const warning = note('Do not retry a payment', 5, {
      outcome: 'fail',
      keyMistake: 'Retried without\na key.',
      correctAction: 'Send the idempotency key.',
      provenance: { agent: 'codex' },
    });
    const { start, learnings } = await sessionStart([note('Round per line', 0), warning]);
    const { text, ids } = await start();
    const id = learnings[1]?.id ?? '';
    expect(ids[0]).toBe(id);
    expect(text).toContain(
      `- Warning: **Do not retry a payment**\n  Mistake: Retried without a key.\n  Instead: Send the idempotency key.\n  (2026-06-10 · codex · own · ${id})\n- **Round per line**`,
    );
  });

  test('gets a line on what it costs and saves, unless that is switched off', async () => {
    const { start } = await sessionStart([note('Round per line', 0)]);
    expect((await start()).text).toMatch(/\n— 1 learning, ~\d+ tok injected, est ~\d+ tok saved$/);
    expect((await start({ RECALL_ECONOMICS: false })).text).not.toContain('tok');
  });

  test('gets no more than its limits allow', async () => {
    const { start } = await sessionStart(
      Array.from({ length: 8 }, (_, index) => note(`Lesson ${index}`, index, { rule: 'x'.repeat(390) })),
    );
    expect((await start({ REFLECT_INJECT_LIMIT: 3 })).ids).toHaveLength(3);
    expect((await start({ REFLECT_INJECT_LIMIT: 0 })).text).toBe('');
    expect((await start({ REFLECT_INJECT_MAX_TOKENS: 250, REFLECT_INJECT_LIMIT: 50 })).ids).toHaveLength(2);
    await expect(start({ REFLECT_INJECT_LIMIT: Number.NaN })).rejects.toThrow(/REFLECT_INJECT_LIMIT/);
  });

  test('with a question of its own gets the answer and not what is newest; what does not touch it is left out', async () => {
    const { start } = await sessionStart([
      note('Ask before a push', 0),
      note('Regenerate the proto clients', 90),
    ]);
    const knobs = { RECALL_VECTOR_ARM: false, RECALL_GRAPH_ARM: false };
    expect((await start(knobs, 'proto clients')).text).not.toContain('push');
    expect(
      (await start({ ...knobs, REFLECT_INJECT_MIN_OVERLAP: 0.5 }, 'proto gardening watering tomatoes')).text,
    ).toBe('');
  });
});

describe('what a session is about', () => {
  test('project, branch and the words its last commits repeat, without those that say nothing', async () => {
    const { cwd } = await sessionStart([], {
      commits: [
        'Old: forgotten thing',
        'fix: round the VAT per line',
        'feat(vat): EU rates for the invoice',
        'chore: bump deps',
        'test: invoice of a VAT exempt',
        'docs: the rounding',
      ],
    });
    expect(sessionQuery({ name: 'billing-svc', branch: 'feat/checkout_v2', root: cwd })).toBe(
      'billing svc checkout v2 vat invoice rounding',
    );
    expect(sessionQuery({ name: 'billing-svc', branch: 'main', root: '/nowhere' })).toBe('billing svc');
  });
});
