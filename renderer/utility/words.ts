import { formatCount, plural } from '../ui/format.ts';

export const utilityWords = {
  tabs: 'What was learned from outcomes',
  tab: { reviews: 'Reviews', experiences: 'Experiences', loops: 'Loops' },
  reviews: {
    list: 'Learnings by what moved last',
    emptyTitle: 'No learning has been judged yet',
    emptyBody:
      'When a run ends well or badly, tests pass or break, or you correct an agent, the learnings it was given gain or lose utility. Every step appears here with its reason.',
    chooseOne: 'Choose a learning to see what moved it.',
    q: 'Utility',
    now: (value: string) => `utility ${value}`,
    moved: (by: string) => `${by} since its first review`,
    tally: (wins: number, losses: number) => `${formatCount(wins)} well, ${formatCount(losses)} badly`,
    open: 'Open the learning',
    chart: (from: string, to: string, count: number) =>
      `Utility over ${plural(count, 'review', 'reviews')}, from ${from} to ${to}`,
    history: 'What moved it',
    sources: {
      trace: 'a reviewed run',
      'tests-fixed': 'tests pass again',
      'tests-broke': 'tests broke',
      correction: 'a correction',
      feedback: 'feedback',
    },
    results: { pass: 'went well', fail: 'went badly' },
    takeBack: 'Take back',
    giveAgain: 'Count again',
    takenBack: 'taken back',
    weight: (alpha: string) => `weight ${alpha}`,
    session: (session: string) => `session ${session}`,
    onlyNewest: (count: number) => `from the last ${plural(count, 'review', 'reviews')}`,
    count: (learnings: number, reviews: number) =>
      `${plural(reviews, 'review', 'reviews')} of ${plural(learnings, 'learning', 'learnings')}`,
  },
  experiences: {
    list: 'Experiences, newest first',
    emptyTitle: 'No experience yet',
    emptyBody:
      'An experience is a task that was done, how it ended and what it taught. Agents keep them with “reflect experience add”, and are told those of similar tasks.',
    chooseOne: 'Choose an experience to read it.',
    outcomes: { success: 'succeeded', partial: 'partly', failed: 'failed' },
    deprecated: 'no longer true',
    quality: (quality: number) => `quality ${quality} of 5`,
    qualityLabel: 'Quality',
    used: (uses: number, successes: number) =>
      uses === 0
        ? 'never used yet'
        : `used ${plural(uses, 'time', 'times')}, helped ${plural(successes, 'time', 'times')}`,
    confidence: (share: string) => `helps in ${share} of its uses`,
    lessons: 'What it taught',
    steps: 'What was done',
    keywords: 'Keywords',
    helped: 'It helped',
    notHelped: 'It did not help',
    told: 'Noted; from its third use on its quality follows.',
    deprecate: 'No longer true',
    deprecatedNow: 'Marked as no longer true.',
    open: 'Open as a learning',
    count: (count: number) => plural(count, 'experience', 'experiences'),
  },
  loops: {
    list: 'Loops, newest first',
    emptyAction: (command: string) => `Copy “${command}”`,
    emptyTitle: 'No loop yet',
    emptyBody:
      'A loop is one task tried until it passes: each attempt is told what the failures before it taught. Begin one with “reflect loop start”.',
    chooseOne: 'Choose a loop to see how it learned.',
    statuses: { running: 'running', completed: 'passed', aborted: 'given up' },
    attempts: (count: number) => plural(count, 'attempt', 'attempts'),
    chart: (count: number, last: string) =>
      `Reward over ${plural(count, 'attempt', 'attempts')}, last ${last}`,
    reward: 'Reward',
    rate: (rate: string) => `${rate} an attempt`,
    improvement: (by: string) => `${by} from the first to the best`,
    passedAfter: (count: number) => `passed at attempt ${formatCount(count)}`,
    reuse: (share: string) => `earlier reflections used in ${share} of attempts`,
    summary: (loops: number, success: string, attempts: string) =>
      `${plural(loops, 'loop', 'loops')} · ${success} of those that ended passed · ${attempts} attempts each`,
    attempt: (number: number) => `Attempt ${formatCount(number)}`,
    passed: 'passed',
    errors: (count: number) => (count === 0 ? 'no error' : plural(count, 'error', 'errors')),
    flags: {
      'too-short': 'too short',
      'no-credit-assignment': 'does not say which step failed',
      'no-actionable-insight': 'nothing to act on',
      'repeats-the-last': 'repeats the last one',
      'generic-advice': 'general advice',
      'unsure-and-no-better': 'unsure, and no better',
    },
    rootCause: 'Cause',
    next: 'Next time',
    open: 'Open its learning',
    count: (count: number) => plural(count, 'loop', 'loops'),
  },
};
