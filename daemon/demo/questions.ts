import type { DemoGap, DemoMerge, DemoSlot } from './types.ts';
import { about } from './vocabulary.ts';
import { lines, said } from './wording.ts';

const billing = 'github.com/acme/billing-svc';
const gateway = 'github.com/acme/edge-gateway';
const shop = 'github.com/acme/storefront';

export const merges: DemoMerge[] = [
  {
    existing: 'worker-connections-peak',
    similarity: 0.985,
    daysAgo: 4,
    incoming: {
      project: gateway,
      title: 'Raise worker_connections if nginx returns 502 under load',
      category: 'performance',
      type: 'bug-fix',
      tags: ['nginx', '502', 'load'],
      confidence: 0.6,
      problem: 'nginx returned 502 under load in the evening peak.',
      fix: 'Raise `worker_connections` to 8192.',
      rule: 'Size worker_connections for the peak.',
      provenance: said('copilot-cli', '8d11e2', 'try raising worker_connections'),
      entities: about('nginx', 'worker_connections', '502 under load'),
    },
  },
  {
    existing: 'grpc-deadline',
    similarity: 0.978,
    daysAgo: 2,
    incoming: {
      project: billing,
      title: 'Put a deadline on every gRPC call; the default is to wait for ever',
      category: 'reliability',
      type: 'correction',
      tags: ['grpc', 'timeout'],
      confidence: 0.7,
      problem: 'A new call to the address service was added without a deadline.',
      fix: 'Pass the remaining time of the request as its deadline, 400 ms at most for addresses.',
      rule: 'No gRPC call without a deadline.',
      provenance: said('codex', 'c2f1', 'deadline missing again on the address lookup'),
      entities: about('gRPC', 'deadline'),
    },
  },
  {
    existing: 'debounce-search',
    similarity: 0.974,
    daysAgo: 6,
    incoming: {
      project: shop,
      title: 'Debounce the search input (250 ms) and abort the request before it',
      category: 'performance',
      type: 'correction',
      tags: ['search', 'debounce'],
      confidence: 0.65,
      problem: 'The new search on the store locator asked the server on each key.',
      fix: 'Reuse `debouncedSearch` from $lib/search; it also aborts.',
      rule: 'All search fields share one helper.',
      provenance: said('claude-code', '4b0e9d76', 'same problem as the product search, use that helper'),
      entities: about('debounce', 'search input', 'AbortController'),
    },
  },
  {
    existing: 'role-locators',
    similarity: 0.981,
    daysAgo: 10,
    incoming: {
      project: shop,
      title: 'In Playwright, find elements by role and accessible name instead of classes or test ids',
      category: 'testing',
      type: 'preference',
      tags: ['playwright', 'locators'],
      confidence: 0.7,
      problem: 'Tests of the new wish list looked elements up by data-testid.',
      fix: 'getByRole, getByLabel; a test id only for a canvas.',
      rule: 'Roles first. A canvas is the one exception.',
      provenance: said('gemini-cli', 'gm-4220', 'roles please, not test ids'),
      entities: about('Playwright', 'role locator'),
    },
  },
  {
    existing: 'index-concurrently',
    similarity: 0.972,
    daysAgo: 1,
    incoming: {
      project: billing,
      title: 'Create indexes with CONCURRENTLY in a separate migration, outside a transaction',
      category: 'database',
      type: 'correction',
      tags: ['postgres', 'migration', 'index'],
      confidence: 0.75,
      problem:
        'A migration that added a column and an index failed: CONCURRENTLY cannot run inside a transaction block.',
      fix: 'Split it in two files; the one with the index carries `migrate:no-transaction`.',
      rule: 'One index, one migration.',
      provenance: said('claude-code', 'aa73d10f', 'the index goes into its own migration'),
      entities: about('CREATE INDEX CONCURRENTLY', 'PostgreSQL'),
    },
  },
];

export const gaps: DemoGap[] = [
  {
    query: 'how do we rotate the Stripe webhook secret without losing events',
    project: billing,
    times: 5,
    sessions: 4,
    daysAgo: 2,
  },
  { query: 'restore ledger from point-in-time backup', project: billing, times: 3, sessions: 2, daysAgo: 17 },
  { query: 'which currencies are enabled for payouts', project: billing, times: 2, sessions: 2, daysAgo: 26 },
  { query: 'http/3 quic rollout plan for the edge', project: gateway, times: 4, sessions: 3, daysAgo: 5 },
  { query: 'rate limit per api key instead of per ip', project: gateway, times: 6, sessions: 5, daysAgo: 1 },
  {
    query: 'translate product descriptions fallback language',
    project: shop,
    times: 3,
    sessions: 3,
    daysAgo: 8,
  },
  { query: 'offline cart service worker', project: shop, times: 2, sessions: 1, daysAgo: 39 },
  {
    query: 'how to set up a new laptop for all three repos',
    project: '',
    times: 4,
    sessions: 4,
    daysAgo: 13,
  },
];

export const slots: DemoSlot[] = [
  {
    project: '',
    name: 'persona',
    description: 'Who the agent works with',
    sizeLimit: 800,
    readOnly: true,
    content:
      'Backend developer, twelve years in, at home in TypeScript and SQL, still learning Rust. Explain lifetimes and pinning when they matter; skip the basics of everything else.',
  },
  {
    project: '',
    name: 'user_preferences',
    description: 'How answers and changes should look',
    sizeLimit: 1200,
    readOnly: false,
    content: lines(
      '- Short answers, the conclusion first.',
      '- Show the plan before touching more than three files.',
      '- Small commits with the reason in the message.',
      '- Say plainly what was not tested.',
    ),
  },
  {
    project: '',
    name: 'tool_guidelines',
    description: 'Which tools to reach for, and how',
    sizeLimit: 1200,
    readOnly: false,
    content: lines(
      '- `rg` and `fd`, not grep and find.',
      '- Never `git push` without being asked.',
      '- Databases other than the local one are read-only.',
      '- One test file while working, the whole suite at the end.',
    ),
  },
  {
    project: billing,
    name: 'project_context',
    description: 'What this repository is',
    sizeLimit: 1500,
    readOnly: false,
    content:
      'Charges, refunds, invoices and the ledger. TypeScript on Node, gRPC in and out, PostgreSQL behind PgBouncer (transaction mode), Stripe as provider. `make dev` starts everything; `make check` is what CI runs. The ledger is append-only.',
  },
  {
    project: billing,
    name: 'guidance',
    description: 'What to mind on every task here',
    sizeLimit: 1000,
    readOnly: false,
    content: lines(
      '- Money moves only with an idempotency key and a ledger posting.',
      '- A schema change goes with its generated clients.',
      '- Show the query before anything that writes to production.',
    ),
  },
  {
    project: billing,
    name: 'pending_items',
    description: 'Begun and not finished',
    sizeLimit: 1000,
    readOnly: false,
    content: lines(
      '- feat/checkout-v2: renew authorisations on day six (job written, not scheduled).',
      '- feat/tax-engine: rates for Northern Ireland are missing.',
      '- PgBouncer 1.21 upgrade, then try prepared statements again.',
    ),
  },
  {
    project: gateway,
    name: 'project_context',
    description: 'What this repository is',
    sizeLimit: 1500,
    readOnly: false,
    content:
      'nginx in front for TLS and routing, a Rust gateway (tokio, hyper, rustls) behind it for sessions, limits and forwarding. Integration tests are in Python. Runs as twelve pods over three zones. Sign-in is by server-side sessions.',
  },
  {
    project: gateway,
    name: 'guidance',
    description: 'What to mind on every task here',
    sizeLimit: 1000,
    readOnly: false,
    content: lines(
      '- Every request of the company passes here: measure before and after.',
      '- No unbounded queue, no lock across an await, no wait without a limit.',
      '- `nginx -t` before every reload.',
    ),
  },
  {
    project: shop,
    name: 'project_context',
    description: 'What this repository is',
    sizeLimit: 1500,
    readOnly: false,
    content:
      'The web shop: SvelteKit with server rendering, Svelte 5 runes, Playwright for whole journeys and Vitest for the rest. Prices always come from billing-svc. Budget: 90 kB of script for the first page.',
  },
  {
    project: shop,
    name: 'pending_items',
    description: 'Begun and not finished',
    sizeLimit: 1000,
    readOnly: false,
    content: lines(
      '- The store locator still has a search field of its own.',
      '- Two visual tests are skipped until the new font ships.',
      '- Ask design about the empty cart.',
    ),
  },
];
