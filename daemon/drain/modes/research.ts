import { Mode } from './mode.ts';

/** Reading, experimenting and weighing evidence. */
export const research = Mode.parse({
  name: 'research',
  description: 'Finding things out: reading, experiments, data and their evaluation.',
  learningTypes: [
    {
      id: 'finding',
      label: 'Finding',
      glyph: '✓',
      description: 'What turned out to be so, and on what evidence.',
    },
    {
      id: 'correction',
      label: 'Correction',
      glyph: '↺',
      description: 'The person told the agent that something is otherwise.',
    },
    {
      id: 'method',
      label: 'Method',
      glyph: '∿',
      description: 'How something is measured, sampled or compared here.',
    },
    {
      id: 'decision',
      label: 'Decision',
      glyph: '⚖',
      description: 'Which question, source or method was chosen, and why.',
    },
    { id: 'preference', label: 'Preference', glyph: '♥', description: 'How results are to be reported.' },
    { id: 'gotcha', label: 'Gotcha', glyph: '⊘', description: 'A trap in a data set, a source or a tool.' },
    { id: 'process', label: 'Process', glyph: '→', description: 'How a piece of work is carried out here.' },
  ],
  categories: [
    {
      name: 'sources',
      words: [
        'paper',
        'source',
        'citation',
        'cite',
        'reference',
        'author',
        'journal',
        'preprint',
        'literature',
      ],
    },
    {
      name: 'data',
      words: ['dataset', 'data set', 'sample', 'label', 'column', 'outlier', 'missing value', 'corpus'],
    },
    {
      name: 'method',
      words: [
        'method',
        'experiment',
        'baseline',
        'hypothes',
        'control',
        'ablation',
        'metric',
        'measure',
        'seed',
      ],
    },
    {
      name: 'statistics',
      words: [
        'significan',
        'p-value',
        'confidence interval',
        'variance',
        'regression',
        'correlation',
        'average',
        'median',
      ],
    },
    {
      name: 'reporting',
      words: ['figure', 'table', 'plot', 'chart', 'report', 'summary', 'conclusion', 'abstract'],
    },
    { name: 'tools', words: ['script', 'notebook', 'python', 'pandas', 'install', 'command'] },
    { name: 'general' },
  ],
  concepts: ['evidence', 'assumption', 'limitation', 'replication', 'open question', 'definition'],
  signals: {
    high: [
      'the data shows',
      'this contradicts',
      'cannot be concluded',
      'the source says',
      'always report',
      'never compare',
    ],
    medium: ['suggests', 'consistent with', 'according to', 'make sure to cite'],
    low: ['perhaps', 'might', 'interesting'],
  },
  prompts: {
    role: 'You take notes for researchers and the agents that work with them.',
    keep: 'Keep findings with their evidence, what a source really says, how things are measured here, and mistakes in reasoning that were corrected.',
    skip: 'Skip guesses nobody checked, and what any textbook says.',
  },
});
