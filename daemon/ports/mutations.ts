/** Takes a port out of action: code that runs at the end of a module, where its exports can still be replaced. */
interface Mutation {
  /** The export that does the port's work. */
  heart: string;
  code: string;
  /** Where that export lives, if not in the module that `seeds.ts` names. */
  module?: string;
}

/** A step of recall passes on what it passes on when it is switched off. */
const step = (heart: string): Mutation => ({
  heart,
  code: `${heart}.run = (input) => ({ result: ${heart}.off(input), says: '' });`,
});

/** A signal notices nothing. */
const signal = (heart: string): Mutation => ({ heart, code: `${heart}.start = () => ({ see: () => [] });` });

/** A function does nothing and returns this. */
const returns = (heart: string, value: string, parameters = ''): Mutation => ({
  heart,
  code: `${heart} = (${parameters}) => (${value});`,
});

/** A generator does nothing and returns this. */
const yieldsNothing = (heart: string, value: string): Mutation => ({
  heart,
  code: `${heart} = function* () { return ${value}; };`,
});

/** A function is called as before, but with these arguments. */
const calledWith = (heart: string, parameters: string, passed: string): Mutation => ({
  heart,
  code: `const original = ${heart}; ${heart} = (${parameters}) => original(${passed});`,
});

/** How each port of the seeds is taken out, by its seed. Replacements return the shape that callers expect. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  R1: step('graph'),
  R2: step('crossEncoder'),
  R3: step('marginalRelevance'),
  R4: step('tokens'),
  R5: step('temporal'),
  R6: step('dates'),
  R7: step('outOfDomain'),
  R8: step('recency'),
  R9: step('recentAnswers'),
  R10: { heart: 'MOST_SKILLS', code: 'MOST_SKILLS = 0;' },
  R11: returns('isEnough', 'false'),
  R12: step('perArm'),
  R13: returns('markSkillsFor', '{ marked: 0, queued: 0 }'),
  R14: returns('staleSkills', '[]'),
  R15: step('project'),
  R16: step('project'),
  R20: { heart: 'SkillsIndex', code: 'SkillsIndex.prototype.find = () => [];' },
  M1: calledWith(
    'index',
    'parts, question, options',
    'parts, { ...question, knobs: { ...question.knobs, [staged.switch.name]: false } }, options',
  ),
  M2: returns('isResting', 'false'),
  M3: returns('quotaHold', 'null'),
  M4: returns('chooseMode', `{ mode: engineering, notice: '' }`),
  M5: returns('verifyCommits', 'Promise.resolve({ unverified: [], allUnverified: false })'),
  M6: returns('stripPrivate', '{ text, removed: 0 }', 'text'),
  M7: returns('corpusScope', '{ only: undefined, notices: [] }'),
  M8: returns('economicsOf', 'null'),
  S1: returns('projected', 'null'),
  S2: {
    heart: 'Relation',
    code: 'Relation.shape.type._zod.run = (anything) => anything;',
    module: 'daemon/contract/entities.ts',
  },
  S3: step('confidence'),
  S4: step('proof'),
  S5: calledWith(
    'ingestNote',
    'store, note, evidence, preview',
    'store, note, evidence, { ...preview, resolve: (knob) => (knob === beliefRevision.switch ? false : preview.resolve(knob)) }',
  ),
  S6: returns('recordChange', '1'),
  S7: returns('knownFrom', 'undefined'),
  S8: returns('linkChunk', 'false'),
  S9: { heart: 'setSignals', code: 'setSignals = () => undefined; countRecalls = () => undefined;' },
  S10: returns('problemsOf', '[]'),
  A1: returns('slotsOf', '[]'),
  A2: {
    ...calledWith(
      'edgesAround',
      'db, entities, shards, when, only',
      'db, entities, shards, null, only', // whenever
    ),
    module: 'daemon/store/graph/graph.ts',
  },
  A3: yieldsNothing('forgetExpired', '[]'),
  A4: calledWith('logRecall', 'db, recall', 'db, recall, false'),
  A5: { heart: 'heuristic', code: 'heuristic.write = async () => null;' },
  A6: step('branch'),
  C1: returns('twinOf', 'null'),
  C2: returns('consolidate', 'Promise.resolve(null)'),
  C3: yieldsNothing('maintain', '{ dangling: 0, relinked: 0, orphans: 0 }'),
  C4: { heart: 'Lifecycle', code: 'Lifecycle.prototype.emit = () => undefined;' },
  C5: {
    heart: 'importArchive',
    code: `importArchive = async (parts, path, mode) => ({
      mode, added: NONE, replaced: NONE, removed: NONE, stayed: NONE, conflicts: 0, same: 0, backup: null, keptFiles: null,
    }); const NONE = { total: 0, items: [] };`,
    module: 'daemon/archive/import.ts',
  },
  O1: {
    heart: 'reviseObservations',
    code: `reviseObservations = () => ({ created: 0, updated: 0, deleted: 0, restored: 0, skipped: 0, createdIds: [], errors: [] });`,
    module: 'daemon/distill/observation-actions.ts',
  },
  O2: returns('refreshStale', '0'),
  O3: returns('drawPersona', 'undefined'),
  SG1: { heart: 'settleByRule', code: 'settleByRule = () => 0; askIfOpposite = () => null;' },
  SG2: signal('git'),
  SG3: returns('dueForSweep', '[]'),
  SG4: signal('testOutcome'),
  SG5: signal('toolLoop'),
  SG6: { ...returns('addGap', 'undefined'), module: 'daemon/store/learnings/questions.ts' },
  SG7: signal('todoCompletion'),
  SG8: signal('permissionReply'),
};
