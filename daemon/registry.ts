import { SIGNALS } from './capture/ports.ts';
import { idleSweep } from './capture/idle-sweep.ts';
import { CAPTURE_KNOBS } from './capture/judge/knobs.ts';
import { WATCH_KNOBS } from './capture/knobs.ts';
import { DISTILL_PORTS } from './distill/ports.ts';
import { lifecycleEvents } from './events/lifecycle-events.ts';
import { INFERENCE_KNOBS } from './inference/knobs.ts';
import { DRAIN_KNOBS } from './drain/knobs.ts';
import { DRAIN_PORTS } from './drain/ports.ts';
import { breaker } from './drain/writers/llm/breaker.ts';
import { BUDGET_KNOBS } from './drain/writers/llm/budget.ts';
import { WRITER_KNOBS } from './drain/writers/llm/knobs.ts';
import { quota } from './drain/writers/llm/quota.ts';
import { BRANCH_KNOBS } from './knowledge/branches.ts';
import { KNOWLEDGE_PORTS } from './knowledge/ports.ts';
import { HOOK_KNOBS } from './platform/hook-knobs.ts';
import { OUTCOME_KNOBS, OUTCOME_PORTS } from './outcomes/ports.ts';
import type { Knob } from './ports/knob.ts';
import type { PortCard } from './ports/port.ts';
import { followUps, knowledgeGaps } from './recall/diagnostics.ts';
import { INJECT_KNOBS, INJECT_PORTS } from './recall/inject/inject.ts';
import { tokenEconomics } from './recall/modes/economics.ts';
import { staged } from './recall/modes/staged.ts';
import { RECALL_PORTS } from './recall/ports.ts';
import { RECALL_KNOBS } from './recall/recall.ts';
import { TEAM_KNOBS } from './team/knobs.ts';

/** Every port of every pipeline. */
export const PORTS: readonly PortCard[] = [
  ...Object.values(RECALL_PORTS).flat(),
  ...INJECT_PORTS,
  staged,
  tokenEconomics,
  followUps,
  knowledgeGaps,
  ...SIGNALS,
  idleSweep,
  ...DRAIN_PORTS,
  breaker,
  quota,
  ...OUTCOME_PORTS,
  ...KNOWLEDGE_PORTS,
  lifecycleEvents,
  ...DISTILL_PORTS,
];

/** Every setting with its port: Settings, `reflect config`, validation and the docs are made of it. */
export const KNOBS: ReadonlyArray<{ knob: Knob; port: string }> = [
  ...PORTS.flatMap((port) =>
    [port.switch, ...Object.values(port.knobs)].map((knob) => ({ knob, port: port.id })),
  ),
  ...Object.values(RECALL_KNOBS).map((knob) => ({ knob, port: 'recall' })),
  ...Object.values(INJECT_KNOBS).map((knob) => ({ knob, port: 'inject' })),
  ...Object.values({ ...CAPTURE_KNOBS, ...WATCH_KNOBS }).map((knob) => ({ knob, port: 'capture' })),
  ...Object.values(DRAIN_KNOBS).map((knob) => ({ knob, port: 'drain' })),
  ...Object.values(BRANCH_KNOBS).map((knob) => ({ knob, port: 'knowledge' })),
  ...Object.values({ ...WRITER_KNOBS, ...BUDGET_KNOBS }).map((knob) => ({ knob, port: 'writer' })),
  ...Object.values(OUTCOME_KNOBS).map((knob) => ({ knob, port: 'outcomes' })),
  ...Object.values(HOOK_KNOBS).map((knob) => ({ knob, port: 'hooks' })),
  ...Object.values(TEAM_KNOBS).map((knob) => ({ knob, port: 'team' })),
  ...Object.values(INFERENCE_KNOBS).map((knob) => ({ knob, port: 'inference' })),
];
