/** By project, the requests that the latest sessions of the demo began with. */
const REQUESTS: Record<string, readonly string[]> = {
  'github.com/acme/billing-svc': [
    'Add a timeout to the payment client and retry once',
    'Why does the checkout test fail on CI only?',
    'Move the invoice export to the new ledger tables',
    'Write a migration for the idempotency keys',
    'Review the error handling of the webhook consumer',
    'Round the VAT of partial refunds once',
    'Speed up the integration tests of the billing service',
    'Show the payout date in the account’s time zone',
    'Find out why two invoices got the same number',
    'Add a dry run to the reconciliation job',
    'Replace the polling of the queue by a listener',
  ],
  'github.com/acme/edge-gateway': [
    'Make the edge proxy reload without dropping requests',
    'Why do streamed answers arrive all at once?',
    'Reject service tokens that have expired',
    'Log the upstream of every 502',
    'Drain connections before the pod stops',
    'Reload certificates without a restart',
    'Limit the requests of one client',
    'Find the task that blocks the runtime',
    'Send the security headers on error pages, too',
    'Pass the real client address to the services',
    'Split the health check into live and ready',
  ],
};
const PROJECTS = Object.keys(REQUESTS);

/** Older sessions did the usual things to the parts of their project; the two lists share no divisor. */
const TASKS = [
  'Add tests for',
  'Speed up',
  'Log the failures of',
  'Clean up',
  'Document',
  'Add metrics to',
  'Review',
  'Fix a race in',
];
const PARTS: Record<string, readonly string[]> = {
  'github.com/acme/billing-svc': [
    'the payment client',
    'the invoice export',
    'the webhook consumer',
    'the refund job',
    'the ledger postings',
    'the tax engine',
    'the payout schedule',
    'the outbox relay',
    'the reconciliation job',
    'the checkout form',
    'the dunning mails',
  ],
  'github.com/acme/edge-gateway': [
    'the rate limiter',
    'the session store',
    'the health checks',
    'the certificate loader',
    'the access log',
    'the retry policy',
    'the route table',
    'the shutdown sequence',
    'the event streams',
    'the upstream pool',
    'the header rewriting',
  ],
};

const requestsIn = (project: string): string[] => {
  const parts = PARTS[project] ?? [];
  const usual = Array.from(
    { length: TASKS.length * parts.length },
    (_, index) => `${TASKS[index % TASKS.length]} ${parts[index % parts.length]}`,
  );
  return [...(REQUESTS[project] ?? []), ...usual];
};

/** The project of that day's session, where a learning holds for every project. */
export const projectOn = (daysAgo: number): string => PROJECTS[daysAgo % PROJECTS.length] ?? '';

export type RequestOf = (session: string, project: string, daysAgo: number) => string;

/** Gives each session a request of its own, the same each time it is asked about. */
export function demoRequests(): RequestOf {
  const given = new Map<string, string>();
  const taken = new Set<string>();
  return (session, project, daysAgo) => {
    const all = requestsIn(project || projectOn(daysAgo));
    const from = daysAgo % all.length;
    const free = [...all.slice(from), ...all.slice(0, from)].find((request) => !taken.has(request)) ?? '';
    const request = given.get(session) ?? free;
    given.set(session, request);
    taken.add(request);
    return request;
  };
}
