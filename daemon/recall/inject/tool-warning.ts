import { basename, isAbsolute, relative } from 'node:path';
import type { Learning } from '#contract/entities.ts';
import { identifyProject } from '../../platform/project.ts';
import { isInside } from '../../platform/safe-path.ts';
import { flag, number } from '../../ports/knob.ts';
import { without } from '../../ports/overrides.ts';
import { projectPort } from '../../ports/port.ts';
import { graph } from '../arm/graph.ts';
import { temporal } from '../arm/temporal.ts';
import { vector } from '../arm/vector.ts';
import { recentAnswers } from '../cache/recent-answers.ts';
import { marginalRelevance } from '../diversify/marginal-relevance.ts';
import { outOfDomain } from '../gate/out-of-domain.ts';
import { coverage } from '../../text/similarity.ts';
import { matchedIn } from '../hits.ts';
import { answer, type RecallParts } from '../recall.ts';
import { crossEncoder } from '../rerank/cross-encoder.ts';
import { framed, type Injection, injectionOf, NO_INJECTION } from './injection.ts';
import { isWarning, learningsBlock } from './learnings-block.ts';
import type { HookRequest } from './prompt.ts';

export const toolWarning = projectPort({
  id: 'inject.tool-warning',
  seeds: [],
  doc: 'Reminds the agent of a correction before it runs that command or edits that file, once per session.',
  switch: flag('REFLECT_TOOL_WARNINGS', false, 'Remind the agent when it is about to repeat a known mistake'),
  knobs: {
    minOverlap: number('REFLECT_TOOL_WARNING_MIN_OVERLAP', {
      default: 0.6,
      min: 0,
      max: 1,
      doc: 'Share of a command that a correction must name to be injected before it runs',
    }),
  },
});

const LONGEST_QUERY = 500; // characters
const SEARCHED = 10;
/** By words only: a similar meaning says nothing about this very command, and the agent need not wait for a model. */
const BY_WORDS = without(crossEncoder, vector, graph, temporal, marginalRelevance, recentAnswers);

/** A note that names the file need not be about it otherwise. */
const BY_NAME = { ...BY_WORDS, ...without(outOfDomain) };

/** The correction that a tool is about to violate; nothing when none is clearly about it. */
export async function injectBeforeTool(
  parts: RecallParts,
  { action, ...request }: HookRequest & { action: string },
): Promise<Injection> {
  const here = identifyProject(request.cwd);
  const resolve = parts.settings.resolver({ projectRoot: here?.root });
  const doing = action.trim().slice(0, LONGEST_QUERY);
  if (!here || !resolve(toolWarning.switch) || doing === '') return NO_INJECTION;
  const file = fileIn(here.root, doing);
  const { hits } = await answer(
    parts,
    {
      query: file ? basename(file) : doing,
      cwd: request.cwd,
      limit: SEARCHED,
      knobs: file ? BY_NAME : BY_WORDS,
    },
    { quiet: true },
  );
  const names = (learning: Learning) =>
    file
      ? namesFile(wordsOf(learning), file)
      : coverage(doing, wordsOf(learning)) >= resolve(toolWarning.knobs.minOverlap);
  const known = hits
    .map(({ learning }) => learning)
    .find((learning) => corrects(learning) && !request.injected.has(learning.id) && names(learning));
  return known
    ? injectionOf(
        framed(learningsBlock(`Before you do this: corrected earlier in ${here.name}`, [known])),
        [known],
        matchedIn(hits),
      )
    : NO_INJECTION;
}

/** The path within the project when the action is a file, as an edit names it; null for a command. */
function fileIn(root: string, action: string): string | null {
  if (!isAbsolute(action) || /\s/.test(basename(action)) || !isInside(root, action)) return null;
  return relative(root, action).replaceAll('\\', '/') || null;
}

/** A note names a file by as much of its path as it likes: `index.ts` any, `db/index.ts` not the one in `api`. */
function namesFile(text: string, path: string): boolean {
  const mentions = text.match(/[\w.@~/-]+/g) ?? [];
  return mentions
    .map((mention) => mention.replace(/^(?:\.?\/)+|\.+$/g, ''))
    .some((mention) => mention.includes(basename(path)) && `/${path}`.endsWith(`/${mention}`));
}

const corrects = (learning: Learning) =>
  isWarning(learning) || ['correction', 'policy'].includes(learning.type);
const wordsOf = ({ title, rule, problem, keyMistake, fix, provenance }: Learning) =>
  [title, rule, problem, keyMistake, fix, provenance.quote].join('\n');
