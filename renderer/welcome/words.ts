import { plural } from '../ui/format.ts';

export const welcomeWords = {
  title: 'Set up Reflect',
  claim: 'Correct your agent once. Every later session knows.',
  steps: 'Steps',
  skip: 'Skip for now',
  back: 'Back',
  next: 'Continue',
  finish: 'Done',
  stepOf: (step: number, count: number) => `Step ${step} of ${count}`,
  titles: {
    agents: 'Your agents',
    privacy: 'What is read, and what never leaves',
    connect: 'Connect your agents',
    writer: 'Who writes the notes',
    lessons: 'Your best lessons',
    shortcut: 'Quick search',
  },
  agents: {
    found: 'These agents have been used on this machine:',
    none: 'No agent has been used on this machine yet. Reflect finds one as soon as it has been.',
    supported: (names: string) => `Also supported: ${names}`,
  },
  privacy: {
    read: 'Reflect reads the transcripts that your agents write, in these folders:',
    noFolders: 'None of their folders exist yet.',
    points: [
      'Everything is read, stored and searched on this machine. There is no account and no server.',
      'Keys, tokens and passwords are removed before anything is stored.',
      'Notes are Markdown files in your Reflect folder. Delete one and it is gone.',
      'A model sees a moment only if you choose one to write the notes.',
      'Projects, folders and agents can be left out at any time in Settings › Privacy.',
    ],
    agree: 'Start reading',
    agreed: 'Reflect is reading your transcripts.',
    undecided: 'Nothing is read until you agree.',
  },
  connect:
    'A connected agent gets what fits when its session starts and with each prompt. You see every line before it is written to the agent’s configuration.',
  lessons: {
    reading: 'Older sessions are being read. Lessons appear here as they are found.',
    choose: 'Found in your sessions. Agents only get what you keep.',
    none: 'No lessons were found in older sessions. The next time you correct an agent, it is noted.',
    notReading: 'Reflect reads nothing yet, so there are no lessons. Go back two steps to start reading.',
    keep: 'Keep',
    drop: 'Drop',
    kept: 'Kept as a learning.',
    dropped: 'Dropped.',
    more: (count: number) => `${plural(count, 'more lesson waits', 'more lessons wait')} in the Inbox.`,
  },
  shortcut: {
    desktop: 'searches your learnings from any program.',
    browser: 'searches learnings and runs every command, on every page.',
    keys: 'shows all keys.',
  },
};
