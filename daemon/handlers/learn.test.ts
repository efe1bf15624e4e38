import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runDaemon, type RunningDaemon, temporaryHome } from '../testing/running-daemon.ts';

const SHOP = 'github.com/acme/shop';
const PNPM = {
  rule: 'Install packages with pnpm, never with npm',
  when: 'adding or updating a dependency',
  why: 'the lockfile is pnpm’s',
  evidence: 'npm install removed pnpm-lock.yaml',
};

function tree(branch = 'main', remote = SHOP): string {
  const cwd = join(temporaryHome(), 'tree');
  mkdirSync(join(cwd, '.git'), { recursive: true });
  writeFileSync(join(cwd, '.git', 'HEAD'), `ref: refs/heads/${branch}\n`);
  writeFileSync(join(cwd, '.git', 'config'), `[remote "origin"]\n\turl = https://${remote}.git\n`);
  return cwd;
}

const start = ({ call }: RunningDaemon, cwd: string, session: string, agent = 'claude-code') =>
  call('hook.run', {
    agent,
    event: 'SessionStart',
    payload: { session_id: session, cwd, source: 'startup' },
  });

describe('an agent that records what it learned', () => {
  test('makes a learning of its project, with the session it was recorded in', async () => {
    const daemon = await runDaemon();
    const cwd = tree('feat/dates');
    await start(daemon, cwd, 's1', 'codex');
    const { outcome, learning, alike } = await daemon.call('learnings.learn', { ...PNPM, cwd });
    expect({ outcome, alike }).toEqual({ outcome: 'created', alike: [] });
    expect(learning).toMatchObject({
      title: PNPM.rule,
      rule: PNPM.rule,
      problem: PNPM.when,
      rootCause: PNPM.why,
      type: 'correction',
      status: 'active',
      scope: 'project',
      project: SHOP,
      branch: null,
      validated: true,
      provenance: { agent: 'codex', session: 's1', quote: PNPM.evidence },
    });
    expect(learning.confidence).toBeGreaterThanOrEqual(0.6);
    const { output } = await start(daemon, tree('feat/other'), 's2');
    expect(output).toContain(PNPM.rule);
  });

  test('says that it is bound to the branch, and no other branch gets it', async () => {
    const daemon = await runDaemon();
    const { learning } = await daemon.call('learnings.learn', {
      ...PNPM,
      branch: true,
      cwd: tree('feat/dates'),
    });
    expect(learning.branch).toBe('feat/dates');
    expect((await start(daemon, tree('feat/other'), 's2')).output).toBe('');
    expect((await start(daemon, tree('feat/dates'), 's3')).output).toContain(PNPM.rule);
  });

  test('hears in the same session that it is known, and proves it from another session', async () => {
    const daemon = await runDaemon();
    const cwd = tree();
    const record = (session: string) => daemon.call('learnings.learn', { ...PNPM, cwd, session });
    const { learning } = await record('s1');
    expect(await record('s1')).toMatchObject({ outcome: 'known', learning: { id: learning.id } });
    const again = await record('s2');
    expect(again).toMatchObject({ outcome: 'updated', learning: { id: learning.id } });
    expect(again.learning.signals.proofCount).toBe(2);
  });

  test('hears what is known about the same subject', async () => {
    const daemon = await runDaemon();
    const known = 'Install packages of the renderer with pnpm --filter renderer';
    await daemon.call('learnings.create', { note: { title: known, project: SHOP } });
    expect((await daemon.call('learnings.learn', { ...PNPM, cwd: tree() })).alike).toEqual([known]);
  });

  test('is refused with the reason where the rule is a question or too short, or belongs to no project', async () => {
    const daemon = await runDaemon();
    const cwd = tree();
    const refused = (lesson: object) =>
      expect(daemon.call('learnings.learn', { ...PNPM, cwd, ...lesson })).rejects;
    await refused({ rule: 'Should packages be installed with pnpm?' }).toThrow(/state it, do not ask/);
    await refused({ rule: 'pnpm' }).toThrow(/rule/);
    await refused({ cwd: '/' }).toThrow(/not the folder of a project/);
    expect((await daemon.call('learnings.list', {})).total).toBe(0);
  });
});
