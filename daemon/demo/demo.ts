import { billingSvc } from './billing-svc.ts';
import { edgeGateway } from './edge-gateway.ts';
import { everyProject } from './global.ts';
import { judged, loops } from './outcomes.ts';
import { gaps, merges, slots } from './questions.ts';
import { storefront } from './storefront.ts';
import type { Demo } from './types.ts';

const DAY_MS = 86_400_000;

/** The knowledge base `npm start -- --demo` shows, aged relative to `now` so that it never grows old. */
export function buildDemo(now: number): Demo {
  const ago = (days: number): number => now - days * DAY_MS;
  return {
    projects: [
      { id: 'github.com/acme/billing-svc', name: 'billing-svc' },
      { id: 'github.com/acme/edge-gateway', name: 'edge-gateway' },
      { id: 'github.com/acme/storefront', name: 'storefront' },
    ],
    learnings: [...billingSvc(ago), ...edgeGateway(ago), ...storefront(ago), ...everyProject(ago)],
    merges,
    gaps,
    slots,
    judged,
    loops,
  };
}
