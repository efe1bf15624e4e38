import { Mode } from './mode.ts';

/** Texts for people: prose, documentation, letters. */
export const writing = Mode.parse({
  name: 'writing',
  description: 'Drafting and editing texts for people.',
  learningTypes: [
    {
      id: 'preference',
      label: 'Preference',
      glyph: '♥',
      description: 'How this person wants texts to read.',
    },
    {
      id: 'correction',
      label: 'Correction',
      glyph: '↺',
      description: 'A wording, a fact or a structure the person had changed.',
    },
    {
      id: 'term',
      label: 'Term',
      glyph: '≡',
      description: 'What a thing is called here, and what it is not called.',
    },
    {
      id: 'decision',
      label: 'Decision',
      glyph: '⚖',
      description: 'What a text is for, whom it addresses, what it leaves out.',
    },
    {
      id: 'process',
      label: 'Process',
      glyph: '→',
      description: 'How a text is drafted, reviewed and published here.',
    },
    {
      id: 'gotcha',
      label: 'Gotcha',
      glyph: '⊘',
      description: 'A trap of the format or the place of publication.',
    },
  ],
  categories: [
    {
      name: 'voice',
      words: ['tone', 'voice', 'formal', 'friendly', 'passive', 'first person', 'jargon', 'humour', 'humor'],
    },
    {
      name: 'style',
      words: [
        'sentence',
        'word',
        'phrase',
        'comma',
        'dash',
        'spelling',
        'grammar',
        'capital',
        'shorten',
        'concise',
      ],
    },
    {
      name: 'structure',
      words: ['heading', 'paragraph', 'outline', 'section', 'chapter', 'order', 'opening', 'ending', 'title'],
    },
    { name: 'facts', words: ['fact', 'quote', 'source', 'name', 'date', 'number', 'claim'] },
    { name: 'audience', words: ['reader', 'audience', 'customer', 'beginner', 'translate', 'language'] },
    { name: 'format', words: ['markdown', 'footnote', 'link', 'list', 'table', 'bold', 'italic'] },
    { name: 'general' },
  ],
  concepts: ['voice', 'clarity', 'structure', 'term', 'audience', 'fact'],
  signals: {
    high: ["don't say", 'never write', 'always call it', 'we say', 'rewrite', 'too long', 'not my voice'],
    medium: ['prefer', 'shorter', 'clearer', 'more like'],
    low: ['maybe', 'sounds'],
  },
  prompts: {
    role: 'You take notes for a writer and the agents that help to write.',
    keep: 'Keep how the texts should read, the words to use and to avoid, facts that were corrected, and who the texts are for.',
    skip: 'Skip what concerns one passage only and the text itself.',
  },
});
