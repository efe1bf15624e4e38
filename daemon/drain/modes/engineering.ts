import { Mode } from './mode.ts';

/** Software work: the mode unless another is chosen. */
export const engineering = Mode.parse({
  name: 'engineering',
  description: 'Building and running software with coding agents.',
  learningTypes: [
    {
      id: 'correction',
      label: 'Correction',
      glyph: '↺',
      description: 'The person told the agent to do otherwise.',
    },
    {
      id: 'preference',
      label: 'Preference',
      glyph: '♥',
      description: 'How this person or team likes work to be done.',
    },
    { id: 'decision', label: 'Decision', glyph: '⚖', description: 'What was chosen, over what, and why.' },
    {
      id: 'bug-fix',
      label: 'Bug fix',
      glyph: '✗',
      description: 'What failed, its cause, and what made it pass.',
    },
    { id: 'gotcha', label: 'Gotcha', glyph: '⊘', description: 'A trap that is not written down anywhere.' },
    { id: 'process', label: 'Process', glyph: '→', description: 'How a piece of work is carried out here.' },
    { id: 'policy', label: 'Policy', glyph: '§', description: 'What an agent may and may not do.' },
    {
      id: 'pattern',
      label: 'Pattern',
      glyph: '◆',
      description: 'A way of doing things that holds in several places.',
    },
  ],
  categories: [
    {
      name: 'security',
      words: [
        'secret',
        'token',
        'password',
        'auth',
        'permission',
        'vulnerab',
        'csrf',
        'xss',
        'sanitis',
        'sanitiz',
        'encrypt',
      ],
    },
    { name: 'testing', words: ['test', 'spec', 'mock', 'fixture', 'coverage', 'e2e', 'flaky', 'assert'] },
    {
      name: 'process',
      words: [
        'commit',
        'push',
        'branch',
        'pull request',
        'merge',
        'review',
        'changelog',
        'release',
        'deploy',
      ],
    },
    {
      name: 'architecture',
      words: [
        'architecture',
        'module',
        'layer',
        'interface',
        'depend',
        'import',
        'coupl',
        'abstraction',
        'refactor',
        'design',
      ],
    },
    {
      name: 'tools',
      words: ['command', 'cli', 'script', 'install', 'package', 'npm', 'pnpm', 'docker', 'makefile', 'lint'],
    },
    {
      name: 'code style',
      words: ['naming', 'name', 'style', 'format', 'indent', 'comment', 'readab', 'typo', 'convention'],
    },
    { name: 'documentation', words: ['readme', 'docs', 'documentation', 'docstring', 'markdown'] },
    { name: 'general' },
  ],
  concepts: [
    'how it works',
    'why it exists',
    'what changed',
    'problem and solution',
    'gotcha',
    'pattern',
    'trade-off',
  ],
  // No signals: the judge was fitted on this kind of work and knows its phrases.
  prompts: {
    role: 'You take notes for software engineers and their coding agents.',
    keep: 'Keep what would save the next session from the same mistake: corrections, decisions with their reason, causes of failures, rules of this code base.',
    skip: 'Skip what the code says by itself, progress reports, and anything true only today.',
  },
});
