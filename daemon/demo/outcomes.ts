import type { DemoJudged, DemoLoop } from './types.ts';

const trace = (daysAgo: number, result: 'pass' | 'fail', reason: string) => ({
  daysAgo,
  source: 'trace' as const,
  result,
  reason,
});
const fixed = (daysAgo: number, reason: string) => ({
  daysAgo,
  source: 'tests-fixed' as const,
  result: 'pass' as const,
  reason,
});
const broke = (daysAgo: number, reason: string) => ({
  daysAgo,
  source: 'tests-broke' as const,
  result: 'fail' as const,
  reason,
});
const corrected = (daysAgo: number, words: string) => ({
  daysAgo,
  source: 'correction' as const,
  result: 'fail' as const,
  reason: `corrected: ${words}`,
});

/** How some learnings served: each review moved their utility. */
export const judged: DemoJudged[] = [
  {
    key: 'proto-regenerate',
    went: [
      trace(38, 'pass', 'The clients matched the schema at the first build.'),
      fixed(30, 'vitest failed before and passes now'),
      trace(21, 'fail', 'The generated files were left out of the commit.'),
      trace(9, 'pass', 'Regenerated and committed together.'),
      fixed(2, 'vitest failed before and passes now'),
    ],
  },
  {
    key: 'grpc-deadline',
    went: [
      trace(33, 'pass', 'No call waited for ever.'),
      trace(17, 'pass', 'The deadline was set on the new call, too.'),
      trace(6, 'pass', 'Found while reviewing the retry.'),
    ],
  },
  {
    key: 'minor-units',
    went: [
      fixed(28, 'vitest failed before and passes now'),
      trace(15, 'pass', 'Amounts stayed whole numbers.'),
      broke(11, 'tests broke: expected 1999 to be 1998'),
      trace(4, 'pass', 'Rounded once, at the edge.'),
    ],
  },
  {
    key: 'upstream-keepalive',
    went: [
      trace(24, 'fail', 'The limit was elsewhere: ephemeral ports.'),
      corrected(23, 'no, look at the ports first'),
      trace(8, 'pass', 'Keepalive fixed it this time.'),
    ],
  },
  {
    key: 'derived-not-effect',
    went: [
      trace(19, 'pass', 'No loop of updates.'),
      trace(12, 'pass', 'The price followed the cart.'),
      corrected(5, 'that one talks to the server, an effect is right'),
    ],
  },
  { key: 'index-concurrently', went: [trace(14, 'pass', 'Writes went on while the index was built.')] },
];

/** Tasks that were tried until they passed, or still are. */
export const loops: DemoLoop[] = [
  {
    id: 'ralph-demo-vat-rounding',
    task: 'Make the VAT rounding test pass for every country',
    project: 'github.com/acme/billing-svc',
    daysAgo: 12,
    learning: 'vat-rounding',
    attempts: [
      {
        reward: 0.2,
        did: 'Rounded the sum down',
        errors: 9,
        why: 'I took one rule for all countries; the failing cases are those that round each line.',
        next: 'Round each line first',
      },
      {
        reward: 0.45,
        did: 'Rounded each line, half up',
        errors: 4,
        why: 'Lines are right now, but the sum is rounded a second time in recalcTax.',
        next: 'Round once, and only lines',
      },
      {
        reward: 0.4,
        did: 'Took the rounding out of recalcTax',
        errors: 5,
        why: 'Two callers relied on it. The rule belongs where the rate is looked up.',
        next: 'Look the rule up with the rate',
      },
      {
        reward: 0.8,
        did: 'Kept the rule beside the rate',
        errors: 1,
        why: 'Only the zero rate fails: it has no rule of its own.',
        next: 'Give the zero rate the default',
      },
      { reward: 1, did: 'Gave the zero rate the default rule', errors: 0 },
    ],
  },
  {
    id: 'ralph-demo-flaky-login',
    task: 'Find out why the login test fails one time in twenty',
    project: 'github.com/acme/storefront',
    daysAgo: 1,
    attempts: [
      {
        reward: 0.3,
        did: 'Waited longer for the button',
        errors: 2,
        why: 'A longer wait only hid it; the button is there, but its form is not hydrated yet.',
        next: 'Wait for what the hydration sets',
      },
      {
        reward: 0.55,
        did: 'Waited for the form to be hydrated',
        errors: 1,
        why: 'It fails one time in fifty now. What is left is the clock of the session cookie.',
        next: 'Stop the clock in the test',
      },
    ],
  },
];
