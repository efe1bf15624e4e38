/** By project, the requests that the demo's sessions began with. */
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

/** The project of that day's session, where a learning holds for every project. */
export const projectOn = (daysAgo: number): string => PROJECTS[daysAgo % PROJECTS.length] ?? '';

export function requestOn(daysAgo: number, project: string): string {
  const requests = REQUESTS[project || projectOn(daysAgo)] ?? [];
  return requests[daysAgo % requests.length] ?? '';
}
