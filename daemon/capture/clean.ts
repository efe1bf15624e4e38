import { branchScope, identifyProject } from '../platform/project.ts';
import { redactAll } from '../privacy/redact.ts';
import type { CapturedWindow } from './pipeline.ts';
import type { Batch, CleanWindow } from './protocol.ts';
import type { Stretch } from './reader.ts';

/** Nothing unredacted leaves the capture thread. */
export function clean(stretch: Stretch, sweptMtime: number | null = null): Batch {
  const redactions: Record<string, number> = {};
  return {
    ...stretch,
    windows: stretch.windows.map((window) => cleanWindow(window, redactions)),
    continuations: redactAll(stretch.continuations, redactions),
    effects: stretch.effects.map(({ cwd, ...effect }) => ({ ...redactAll(effect, redactions), project: projectOf(cwd) })),
    redactions,
    sweptMtime,
  };
}

function cleanWindow({ cwd, branch, ...window }: CapturedWindow, redactions: Record<string, number>): CleanWindow {
  const { key, signal, session, at, span, type, score, recurring, speculative } = window;
  const { quote, why, turns } = redactAll({ quote: window.quote, why: window.why, turns: window.turns }, redactions);
  return {
    key, signal, session, at, span, type, score, recurring, speculative, quote, why, turns,
    branch: branchScope(branch ?? identifyProject(cwd)?.branch),
    project: projectOf(cwd),
  };
}

function projectOf(cwd: string): CleanWindow['project'] {
  const project = identifyProject(cwd);
  return project && { id: project.id, name: project.name, root: project.root };
}
