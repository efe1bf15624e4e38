import { LEARN_WHEN } from '#contract/learn.ts';
import { flag } from '../../ports/knob.ts';
import { projectPort } from '../../ports/port.ts';

export const learnHint = projectPort({
  id: 'inject.learn',
  seeds: [],
  doc: 'Adds one line to a new session that says when to record a lesson.',
  switch: flag('REFLECT_LEARN_HINT', true, 'Tell new sessions when to record what they learn'),
  knobs: {},
});

/** At most 60 tokens, because every session pays for it. */
export const LEARN_HINT = `${LEARN_WHEN}, record it at once: \`learn\` (MCP) or \`reflect learn "<rule>" --when … --why …\`.`;
