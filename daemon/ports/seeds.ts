/** A port the seeds ask for. */
export interface SeedPort {
  seed: string;
  what: string;
  /** Where it lives and where it is proven, from the project's root. */
  module: string;
  proof: string;
  /** Where it differs from what the seeds say, on purpose, and why. */
  differs?: string;
}

/** By seed. A port that is not here does what the seeds say. */
const DIFFERS: Readonly<Record<string, string>> = {
  R2: 'Its score is blended into the fused order (`RECALL_CE_WEIGHT`; 1 makes it the only key, as in the seeds): alone, the models at hand ranked worse than the blend. Warnings before a tool call are searched by words only, because a similar meaning says nothing about that very command.',
  R3: 'Similarity below 0.9 is no repetition at the shipped weight (the bound falls with the weight), and below the top five only twins are held back: penalising what is merely about the same thing cost 0.04 of recall@10 on code search. A copy never falls behind a note that hardly bears on the question. Of 20 questions to 142 learnings of real sessions, 1 is answered in another order at 0.5 than at 0.9, and 10 at 0.1.',
  R6: 'A time that is named exactly filters; a vague one ("recently", "in March") prefers. Where nothing relevant was learned in that time, all times are searched and the answer says so.',
  R7: 'Relevance is measured by meaning and words together, not by shared words alone, which suppress good answers in other words. The gate is closed at 0.3 as shipped. Where it is open, hits that would not pass it alone, or that score below a fiftieth of the best, are marked and shown apart.',
  R8: 'Boosts multiply the relevance of a candidate instead of replacing it when there is no cross-encoder.',
  R9: 'A question of the same meaning is a hit too (`RECALL_SEMANTIC_CACHE`), and every change of the knowledge base empties the cache. The seeds’ own pair (“debounce search input”, “debouncing the search-as-you-type box”) is too far apart for either and is searched again.',
  R11: 'The one learning that may be enough is the best match of all, not of the sure ones: a sure one that matches less would hide it. A captured learning is as sure as one tier above its confidence once another session met it or it helped.',
  R15: 'Projects are shards of one database, not folders; a learning is seen elsewhere only if a person said that it holds for all projects. What is learned outside of a project waits for a person.',
  M2: 'The settings are named after the writer, of which `claude -p` is one: `REFLECT_WRITER_BREAKER_THRESHOLD`.',
  M3: 'Each allowance has its own ceiling (`REFLECT_QUOTA_FIVE_HOUR` …); the port itself is switched by `REFLECT_WRITER_QUOTA`.',
  M4: 'A mode names phrases instead of regular expressions, of which one could stop the daemon, and words the parts of a prompt (role, keep, skip) instead of the whole, whose form the writer relies on; so a mode of reflect-memory has to be worded again. The built-in engineering mode has no telling phrases of its own: the judge of notes was fitted on this kind of work.',
  M8: 'The cost of finding out is the dialogue around the moment (what led to it, the words, the answer), not the whole transcript: a lower bound that does not flatter.',
  S2: 'Six more types are known (`solves`, `requires`, `implements`, `configures`, `triggers`, `relates_to`). Without a model a causal one is drawn only where the words say it, otherwise `relates_to`: of 1,156 edges of the 862 notes of 103 real sessions 47 say what causes or prevents what (about four of five rightly), 8 `requires` and 28 `supersedes`.',
  S9: 'Volatile signals are rows of the database; a note that contains them is cleaned when it is read.',
  A1: 'On as shipped: an empty slot injects nothing, so pinning something is the opt-in.',
  A4: 'The log of recalls is in the database, not in a file.',
  A6: 'A learning belongs to its branch only if it speaks of the branch’s unfinished work; it becomes the project’s when the branch ends.',
  C1: 'The threshold is 0.9 on a scale on which 0 is unrelated and 1 the same for every model (about 0.92 of raw cosine; the seeds say 0.97 of another model), measured on labelled pairs. All live learnings are compared, by the whole note. A cross-encoder may object to a pair, never propose one: proposing too, a weak one asked about 1,315 pairs of 4,076 instead of 1,118 and precision fell from 0.912 to 0.903; objecting, it rises to 0.916 with 0.360 instead of 0.371 of the twins. What it is worth depends on the model. Share of the 2,753 twins found at a precision of 0.95, 0.93, 0.91 and 0.90 (`npm run bench:twins`): embeddings alone 0.203, 0.281, 0.382, 0.434; with a model that compares token by token 0.222, 0.302, 0.409, 0.470; with the weak one 0.201, 0.276, 0.372, 0.426. `ms-marco-MiniLM-L-6-v2` has not been measured.',
  C2: 'Without a model a principle is the one sentence of its learnings that is a rule and is nearest to all of them, told as an instruction (“We use pnpm” becomes “Use pnpm”); where none says a rule, nothing is proposed. A model may say what they have in common instead (`REFLECT_SYNTHESIS_WRITER`).',
  SG1: 'Only plain denial supersedes by itself. Opposite words and two values of one attribute are a guess, so a person is asked.',
  SG2: 'Commits of agents are read from their transcripts; git hooks are added to a repository only by `reflect install git`.',
  SG3: 'The setting is `REFLECT_IDLE_SECONDS`.',
  SG4: 'Tests that pass again confirm what the session learned. The fix itself is kept as a candidate, not as a learning of high confidence: the change is known and its reason is not, and of such notes of labelled sessions none was worth keeping as it stood.',
  SG5: 'The agent is warned with its next prompt, or before its next tool call where tool hooks are installed (`reflect install --tools`).',
  SG6: 'Gaps are in the database, not in `knowledge-gaps.jsonl`. The Inbox shows one once it came up in two sessions or on two days; `reflect gaps` lists all.',
  SG7: 'Off as shipped (`REFLECT_SIGNAL_TODO`): of its 20 notes on 35 labelled sessions none was worth keeping.',
  SG8: 'A permission given or refused once is not kept as shipped (`REFLECT_PERMISSION_ONCE`): it says nothing about the next time.',
};

/** The proof stands beside the module, unless a module does more and the proof is named after the port. */
const built = (seed: string, what: string, module: string, proof = module): SeedPort => ({
  seed,
  what,
  module: `${module}.ts`,
  proof: `${proof}.proof.test.ts`,
  ...(DIFFERS[seed] ? { differs: DIFFERS[seed] } : {}),
});

/** All 57, in the order of the seeds. */
export const SEED_PORTS: readonly SeedPort[] = [
  built('R1', 'Graph-expansion arm', 'daemon/recall/arm/graph'),
  built('R2', 'Cross-encoder rerank', 'daemon/recall/rerank/cross-encoder'),
  built('R3', 'MMR diversity', 'daemon/recall/diversify/marginal-relevance'),
  built('R4', 'Token-budget retrieval', 'daemon/recall/budget/tokens'),
  built('R5', 'Temporal arm', 'daemon/recall/arm/temporal'),
  built('R6', 'Query-time date parsing', 'daemon/recall/query/dates'),
  built('R7', 'Out-of-domain relevance gate', 'daemon/recall/gate/out-of-domain'),
  built('R8', 'Bounded multiplicative boosts', 'daemon/recall/boost/recency'),
  built('R9', 'Fuzzy cache tier', 'daemon/recall/cache/recent-answers'),
  built('R10', 'Tiered skills inject', 'daemon/recall/inject/skill-tier'),
  built('R11', 'Forced-grounding short-circuit', 'daemon/recall/inject/grounding'),
  built('R12', 'Per-arm calibrated thresholds', 'daemon/recall/floor/per-arm'),
  built('R13', 'Auto skill-refresh trigger', 'daemon/distill/skill-refresh'),
  built('R14', 'Per-skill staleness signal', 'daemon/distill/skill-staleness'),
  built('R15', 'Per-project sharding', 'daemon/recall/scope/project'),
  built('R16', 'Project-affinity boost', 'daemon/recall/boost/project'),
  built('R20', 'Skills-index query', 'daemon/recall/skills/skills-index'),
  built('M1', 'Staged three-layer recall', 'daemon/recall/modes/staged'),
  built('M2', 'Writer-output classifier and breaker', 'daemon/drain/writers/llm/breaker'),
  built('M3', 'Quota-aware writer abort', 'daemon/drain/writers/llm/quota'),
  built('M4', 'Pluggable-mode inheritance', 'daemon/drain/modes/choose'),
  built('M5', 'Commit-reference verification', 'daemon/drain/commit-references'),
  built('M6', 'Private-tag strip', 'daemon/privacy/private-spans'),
  built('M7', 'Knowledge-corpus Q&A', 'daemon/recall/modes/corpora'),
  built('M8', 'Token-economics surfacing', 'daemon/recall/modes/economics'),
  built('S1', 'Structured field extraction', 'daemon/recall/modes/fields'),
  built('S2', 'Typed causal-link enum', 'daemon/knowledge/relation-types'),
  built('S3', 'Numeric confidence ranking', 'daemon/recall/boost/confidence'),
  built('S4', 'Provenance and proof count', 'daemon/recall/boost/proof'),
  built('S5', 'Belief revision on ingest', 'daemon/knowledge/revise'),
  built('S6', 'History snapshot on update', 'daemon/store/learnings/history'),
  built('S7', 'Chunk-hash dedup', 'daemon/drain/chunk-dedup'),
  built('S8', 'Transcript, chunk, learning grouping', 'daemon/store/learnings/lineage'),
  built(
    'S9',
    'Volatile-signals sidecar',
    'daemon/store/learnings/signals',
    'daemon/knowledge/volatile-signals',
  ),
  built('S10', 'Write-validate-retry loop', 'daemon/drain/validation'),
  built('A1', 'Pinned editable memory slots', 'daemon/knowledge/slots'),
  built('A2', 'Bitemporal edges', 'daemon/recall/arm/graph'),
  built('A3', 'forget_after prune', 'daemon/knowledge/forget'),
  built('A4', 'Follow-up-rate diagnostic', 'daemon/store/outcomes/recall-log', 'daemon/recall/follow-up'),
  built('A5', 'Synthetic compression fallback', 'daemon/drain/writers/heuristic'),
  built('A6', 'Branch-aware isolation', 'daemon/recall/scope/branch'),
  built('C1', 'Semantic-dedup adjudication', 'daemon/knowledge/twins'),
  built('C2', 'Auto-consolidation threshold', 'daemon/distill/consolidation'),
  built('C3', 'Graph maintenance sweep', 'daemon/knowledge/graph-maintenance'),
  built('C4', 'Lifecycle events fan-out', 'daemon/events/lifecycle-events'),
  built('C5', 'KB export and import round-trip', 'daemon/archive/archive'),
  built('O1', 'Consolidated observations', 'daemon/distill/observations'),
  built('O2', 'Auto-refreshing conventions document', 'daemon/distill/conventions'),
  built('O3', 'Persona and preference answer', 'daemon/distill/persona'),
  built('SG1', 'Cross-turn contradiction', 'daemon/knowledge/contradictions'),
  built('SG2', 'Git event capture', 'daemon/capture/signal/git'),
  built('SG3', 'Idle-sweep threshold trigger', 'daemon/capture/idle-sweep'),
  built('SG4', 'Test-outcome parsing', 'daemon/capture/signal/test-outcome'),
  built('SG5', 'Tool-loop detection', 'daemon/capture/signal/tool-loop'),
  built('SG6', 'Knowledge-gap signal', 'daemon/recall/recall', 'daemon/recall/gaps'),
  built('SG7', 'Todo-completion signal', 'daemon/capture/signal/todo-completion'),
  built('SG8', 'Permission-reply capture', 'daemon/capture/signal/permission-reply'),
];
