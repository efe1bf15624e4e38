import type { Handlers } from '#contract/methods.ts';
import { agentHandlers } from './agents.ts';
import { archiveHandlers } from './archive.ts';
import { backupHandlers } from './backups.ts';
import { candidateHandlers } from './candidates.ts';
import { captureHandlers } from './capture.ts';
import { configHandlers } from './config.ts';
import { corpusHandlers } from './corpora.ts';
import { curationHandlers } from './curation.ts';
import type { DaemonParts } from './daemon-parts.ts';
import { distillHandlers } from './distill.ts';
import { experienceHandlers } from './experience.ts';
import { graphHandlers } from './graph.ts';
import { hookHandlers } from './hooks.ts';
import { importHandlers } from './imports.ts';
import { inboxOf } from './inbox.ts';
import { knowledgeHandlers } from './knowledge.ts';
import { learnHandlers } from './learn.ts';
import { learningHandlers } from './learnings.ts';
import { memoryHandlers } from './memories.ts';
import { modelHandlers } from './models.ts';
import { protocolHandlers } from './protocol.ts';
import { privacyHandlers, refusingIgnored } from './privacy.ts';
import { recallHandlers } from './recall.ts';
import { reflectionHandlers } from './reflections.ts';
import { skillHandlers } from './skills.ts';
import { slotHandlers } from './slots.ts';
import { statusHandlers } from './status.ts';
import { teamHandlers } from './team.ts';
import { traceHandlers } from './traces.ts';
import { upkeepHandlers } from './upkeep.ts';
import { writerHandlers } from './writers.ts';

/** One function per method of the contract. */
export function createHandlers(parts: DaemonParts): Handlers {
  const inbox = inboxOf(parts);
  return refusingIgnored(parts, {
    ...statusHandlers(parts, inbox),
    ...recallHandlers(parts),
    ...corpusHandlers(parts),
    ...memoryHandlers(parts),
    ...traceHandlers(parts),
    ...experienceHandlers(parts),
    ...reflectionHandlers(parts),
    ...distillHandlers(parts),
    ...learningHandlers(parts),
    ...learnHandlers(parts),
    ...curationHandlers(parts, inbox),
    ...knowledgeHandlers(parts),
    ...graphHandlers(parts),
    ...slotHandlers(parts),
    ...skillHandlers(parts),
    ...candidateHandlers(parts),
    ...captureHandlers(parts),
    ...privacyHandlers(parts),
    ...upkeepHandlers(parts),
    ...archiveHandlers(parts),
    ...importHandlers(parts),
    ...backupHandlers(parts),
    ...teamHandlers(parts),
    ...agentHandlers(parts),
    ...configHandlers(parts),
    ...modelHandlers(parts),
    ...hookHandlers(parts),
    ...writerHandlers(parts),
    ...protocolHandlers(parts),
  });
}
