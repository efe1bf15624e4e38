/** A port the seeds ask for. It counts as built only once it has a module and a proof beside it. */
export interface SeedPort {
  seed: string;
  what: string;
  /** Where it lives and where it is proven, from the project's root; absent until then. */
  module?: string;
  proof?: string;
}

const built = (seed: string, what: string, module: string): SeedPort =>
  ({ seed, what, module: `${module}.ts`, proof: `${module}.proof.test.ts` });
const asked = (seed: string, what: string): SeedPort => ({ seed, what });

/** All 57, in the order of the seeds. */
export const SEED_PORTS: readonly SeedPort[] = [
  asked('R1', 'Graph-expansion arm'),
  built('R2', 'Cross-encoder rerank', 'daemon/recall/rerank/cross-encoder'),
  asked('R3', 'MMR diversity'),
  built('R4', 'Token-budget retrieval', 'daemon/recall/budget/tokens'),
  asked('R5', 'Temporal arm'),
  asked('R6', 'Query-time date parsing'),
  asked('R7', 'Out-of-domain relevance gate'),
  asked('R8', 'Bounded multiplicative boosts'),
  asked('R9', 'Fuzzy cache tier'),
  asked('R10', 'Tiered skills inject'),
  asked('R11', 'Forced-grounding short-circuit'),
  asked('R12', 'Per-arm calibrated thresholds'),
  asked('R13', 'Auto skill-refresh trigger'),
  asked('R14', 'Per-skill staleness signal'),
  built('R15', 'Per-project sharding', 'daemon/recall/scope/project'),
  asked('R16', 'Project-affinity boost'),
  asked('R20', 'Skills-index query'),
  asked('M1', 'Staged three-layer recall'),
  asked('M2', 'Writer-output classifier and breaker'),
  asked('M3', 'Quota-aware writer abort'),
  asked('M4', 'Pluggable-mode inheritance'),
  asked('M5', 'Commit-reference verification'),
  built('M6', 'Private-tag strip', 'daemon/privacy/private-spans'),
  asked('M7', 'Knowledge-corpus Q&A'),
  asked('M8', 'Token-economics surfacing'),
  asked('S1', 'Structured field extraction'),
  asked('S2', 'Typed causal-link enum'),
  asked('S3', 'Numeric confidence ranking'),
  asked('S4', 'Provenance and proof count'),
  asked('S5', 'Belief revision on ingest'),
  asked('S6', 'History snapshot on update'),
  asked('S7', 'Chunk-hash dedup'),
  asked('S8', 'Transcript, chunk, learning grouping'),
  asked('S9', 'Volatile-signals sidecar'),
  asked('S10', 'Write-validate-retry loop'),
  asked('A1', 'Pinned editable memory slots'),
  asked('A2', 'Bitemporal edges'),
  asked('A3', 'forget_after prune'),
  asked('A4', 'Follow-up-rate diagnostic'),
  asked('A5', 'Synthetic compression fallback'),
  built('A6', 'Branch-aware isolation', 'daemon/recall/scope/branch'),
  asked('C1', 'Semantic-dedup adjudication'),
  asked('C2', 'Auto-consolidation threshold'),
  asked('C3', 'Graph maintenance sweep'),
  asked('C4', 'Lifecycle events fan-out'),
  asked('C5', 'KB export and import round-trip'),
  asked('O1', 'Consolidated observations'),
  asked('O2', 'Auto-refreshing conventions document'),
  asked('O3', 'Persona and preference answer'),
  asked('SG1', 'Cross-turn contradiction'),
  asked('SG2', 'Git event capture'),
  asked('SG3', 'Idle-sweep threshold trigger'),
  asked('SG4', 'Test-outcome parsing'),
  asked('SG5', 'Tool-loop detection'),
  asked('SG6', 'Knowledge-gap signal'),
  asked('SG7', 'Todo-completion signal'),
  asked('SG8', 'Permission-reply capture'),
];
