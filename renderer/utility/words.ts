import { formatCount, plural } from '../ui/format.ts';

export const utilityWords = {
  seeSessions: 'See sessions',
  tabs: 'Learned from outcomes',
  tab: { reviews: 'Reviews', experiences: 'Experiences', loops: 'Loops' },
  reviews: {
    list: 'Learnings by latest review',
    emptyTitle: 'No reviews yet',
    emptyBody:
      'When a run succeeds or fails, tests pass or break, or you correct an agent, the learnings injected into it gain or lose utility. Each change appears here with its reason.',
    chooseOne: 'Select a learning to see its reviews.',
    q: 'Utility',
    now: (value: string) => `utility ${value}`,
    moved: (by: string) => `${by} since its first review`,
    tally: (wins: number, losses: number) =>
      [
        wins > 0 ? `helped ${formatCount(wins)}×` : '',
        losses > 0 ? `didn’t help ${formatCount(losses)}×` : '',
      ]
        .filter(Boolean)
        .join(', '),
    open: 'Open the learning',
    chart: (from: string, to: string, count: number) =>
      `Utility over ${plural(count, 'review', 'reviews')}, from ${from} to ${to}`,
    history: 'Reviews',
    sources: {
      trace: 'a reviewed run',
      'tests-fixed': 'tests pass again',
      'tests-broke': 'tests broke',
      correction: 'a correction',
      feedback: 'feedback',
    },
    results: { pass: 'helped', fail: 'didn’t help' },
    undo: 'Undo',
    redo: 'Redo',
    undone: 'undone',
    weight: (alpha: string) => `weight ${alpha}`,
    session: 'Open the session',
    onlyNewest: (count: number) => `from the last ${plural(count, 'review', 'reviews')}`,
    count: (learnings: number, reviews: number) =>
      `${plural(reviews, 'review', 'reviews')} of ${plural(learnings, 'learning', 'learnings')}`,
  },
  experiences: {
    list: 'Experiences, newest first',
    emptyTitle: 'No experience yet',
    emptyBody:
      'An experience is a finished task with its outcome and lessons. Agents add them with “reflect experience add” and get those of similar tasks.',
    chooseOne: 'Select an experience to read it.',
    outcomes: { success: 'succeeded', partial: 'partly succeeded', failed: 'failed' },
    deprecated: 'no longer true',
    quality: (quality: number) => `quality ${quality} of 5`,
    qualityLabel: 'Quality',
    used: (uses: number, successes: number) =>
      uses === 0
        ? 'never used'
        : `used ${plural(uses, 'time', 'times')}, helped ${plural(successes, 'time', 'times')}`,
    confidence: (share: string) => `helps in ${share} of its uses`,
    lessons: 'Lessons',
    steps: 'Steps',
    keywords: 'Keywords',
    helped: 'It helped',
    notHelped: 'It didn’t help',
    saved: 'Feedback saved. It affects the quality from the third use on.',
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
      'A loop repeats a task until it passes. Each attempt gets the lessons of earlier failures. Start one with “reflect loop start”.',
    chooseOne: 'Select a loop to see its attempts.',
    statuses: { running: 'running', completed: 'passed', aborted: 'aborted' },
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
