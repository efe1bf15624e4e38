import { LEARN_WHEN } from '#contract/learn.ts';

export const PLUGIN = {
  name: 'reflect',
  description: 'A local memory for coding agents: corrected once, never again.',
} as const;

export interface SlashCommand {
  name: 'reflect' | 'learn' | 'recall';
  description: string;
  /** The placeholder for what a person types behind it. */
  argument: string;
  /** The prompt, given what a person typed or the agent's placeholder for it. */
  prompt: (typed: string) => string;
}

/** The commands every agent gets, each in its own form. */
export const SLASH_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'reflect',
    description: 'Tell what is known here, and record what this session taught',
    argument: '[topic]',
    prompt: (typed) => `Topic: ${typed}

1. Call the Reflect tool \`recall\` for the topic, or for the work at hand if none is given, and list in a few lines what applies here.
2. Look back over this session for rules that are not recorded yet: corrections, decisions, confirmed causes, traps. Record each with
   the Reflect tool \`learn\`, as one sentence that needs no context. Record nothing that only matters today.
3. Say what you recorded, or that there was nothing.`,
  },
  {
    name: 'learn',
    description: 'Record a rule, so that no agent has to be told again',
    argument: '<rule>',
    prompt: (typed) => `Record this with the Reflect tool \`learn\`: ${typed}

Word it as one sentence that names its subject and needs no context; add when it applies, why, and the evidence from this session. If
nothing is given, record the last thing that was corrected, decided or found out. Say what was recorded and what was known already.`,
  },
  {
    name: 'recall',
    description: 'Search what was learned',
    argument: '<question>',
    prompt: (typed) => `Call the Reflect tool \`recall\` with: ${typed}

If nothing is given, ask about the work at hand. Answer from what it returns, name the learnings you used, and say so if nothing fits.`,
  },
];

/** Not the plugin's own name: a command and a skill of one name hide each other. */
export const SKILL_NAME = 'project-memory';

/** The skill, in the form that Claude Code, Codex, Gemini CLI and OpenCode share. */
export const SKILL = `---
name: ${SKILL_NAME}
description: Use the project's memory. Before work on something that may have gone wrong before, recall what was learned; ${LEARN_WHEN.charAt(0).toLowerCase()}${LEARN_WHEN.slice(1)}, record it.
---

# Reflect

Reflect keeps what was learned in earlier sessions on this machine, of this and other agents.

- **Before you act** on something non-trivial, call the tool \`recall\` with the task in your own words. What it returns was taught by the
  people of this project: follow it, or say why not.
- **${LEARN_WHEN}**, call \`learn\`: one sentence that names its subject and needs no context, when it applies, why, and the evidence.
  Do not record what only matters today, what the code says itself, or secrets.
- Without these tools, \`reflect search "…"\` and \`reflect learn "…"\` do the same in a shell.
`;
