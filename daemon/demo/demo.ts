import * as z from 'zod';
import { type Entity, Note, type Signals } from '#contract/entities.ts';
import { Review } from '#contract/outcomes.ts';
import { DAY } from '../platform/time.ts';
import billing from './billing-svc.json' with { type: 'json' };
import gateway from './edge-gateway.json' with { type: 'json' };
import everywhere from './everywhere.json' with { type: 'json' };
import things from './things.json' with { type: 'json' };

/** A short record, written in the files as one string. */
const parts = z.string().transform((line) => line.split(' | '));
const text = z
  .union([z.string(), z.array(z.string())])
  .transform((lines) => (typeof lines === 'string' ? lines : lines.join('\n')));

const Form = z.looseObject({
  daysAgo: z.number(),
  actor: z.string(),
  reason: z.string(),
  body: text.optional(),
});

/** One note as written in the files; fields not listed here are fields of the note itself. */
const Written = z.looseObject({
  daysAgo: z.number(),
  kind: z.tuple([z.string(), z.string(), z.number()]), // category, type, confidence
  body: text.optional(),
  from: z.string().transform((from) => from.split(' ')), // agent, session
  quote: z.string(),
  about: z.array(z.string()),
  relations: z.array(parts).default([]), // source, type, target, strength, description, valid from, valid to (days ago)
  forgetInDays: z.number().optional(),
});
type Written = z.output<typeof Written>;

const Learned = Written.extend({
  /** Identifies the learning within the demo. */
  key: z.string(),
  /** Days since the last recall, then the counts of recalls, helpful recalls, proofs and stale recalls. */
  used: z.array(z.number()).optional(),
  /** Earlier forms, oldest first. */
  history: z.array(Form).default([]),
});
const Twin = Written.extend({ existing: z.string(), similarity: z.number() });
const Slot = z.strictObject({
  name: z.string(),
  description: z.string(),
  sizeLimit: z.number(),
  readOnly: z.boolean().default(false),
  content: text,
});
const Judged = z.strictObject({ key: z.string(), went: z.array(parts) }); // days ago, source, result, reason
const Loop = z.strictObject({
  id: z.string(),
  task: z.string(),
  daysAgo: z.number(),
  /** The learning it left; without one the loop is still running. */
  learning: z.string().optional(),
  attempts: z.array(parts), // reward, errors, what was done; if it failed, why and what to do next
});

const DemoFile = z.strictObject({
  notes: z.array(Learned),
  merges: z.array(Twin).default([]),
  gaps: z.array(parts).default([]), // query, times, sessions, days ago
  slots: z.array(Slot).default([]),
  judged: z.array(Judged).default([]),
  loops: z.array(Loop).default([]),
});

const FILES: Array<{ id: string; name: string; content: unknown }> = [
  { id: 'github.com/acme/billing-svc', name: 'billing-svc', content: billing },
  { id: 'github.com/acme/edge-gateway', name: 'edge-gateway', content: gateway },
  { id: '', name: '', content: everywhere },
];

export type Demo = ReturnType<typeof buildDemo>;
export type DemoLearning = Demo['learnings'][number];

/** The knowledge base that `npm start -- --demo` shows, aged relative to `now` so that it never grows old. */
export function buildDemo(now: number) {
  const files = FILES.map(({ id, content }) => ({ project: id, ...DemoFile.parse(content) }));
  const ago = (days: number) => now - days * DAY;
  const judged = files.flatMap(judgedIn);
  return {
    projects: FILES.filter(({ id }) => id !== '').map(({ id, name }) => ({ id, name })),
    learnings: files.flatMap(({ project, notes }) =>
      notes.map(({ key, used, history, ...written }) => ({
        key,
        daysAgo: written.daysAgo,
        note: noteOf(written, project, ago),
        signals: used && signalsOf(used, judged.find((one) => one.key === key)?.went ?? [], ago),
        history: history.map(({ daysAgo, actor, reason, ...note }) => ({ daysAgo, actor, reason, note })),
      })),
    ),
    merges: files.flatMap(({ project, merges }) =>
      merges.map(({ existing, similarity, ...written }) => ({
        existing,
        similarity,
        daysAgo: written.daysAgo,
        incoming: noteOf(written, project, ago),
      })),
    ),
    gaps: files.flatMap(({ project, gaps }) =>
      gaps.map(([query = '', times, sessions, daysAgo]) => ({
        query,
        project,
        times: Number(times),
        sessions: Number(sessions),
        daysAgo: Number(daysAgo),
      })),
    ),
    slots: files.flatMap(({ project, slots }) => slots.map((slot) => ({ project, ...slot }))),
    judged,
    loops: files.flatMap(({ project, loops }) =>
      loops.map(({ attempts, ...loop }) => ({
        ...loop,
        project,
        attempts: attempts.map(([reward, errors, did = '', why, next]) => ({
          reward: Number(reward),
          errors: Number(errors),
          did,
          why,
          next,
        })),
      })),
    ),
  };
}

export type Ago = (days: number) => number;

function noteOf(written: Written, project: string, ago: Ago): Note {
  const { daysAgo: _, kind, from, quote, about, relations, forgetInDays, ...fields } = written;
  const [category, type, confidence] = kind;
  const [agent, session] = from;
  return Note.parse({
    project,
    scope: project === '' ? 'global' : 'project',
    category,
    type,
    confidence,
    provenance: { agent, session, quote },
    entities: about.map(entityOf),
    relations: relations.map((relation) => relationOf(relation, ago)),
    ...(forgetInDays !== undefined && { forgetAfter: ago(-forgetInDays) }),
    ...fields,
  });
}

/** Entities are described once, so that notes of different projects share them in the graph. */
function entityOf(name: string): Pick<Entity, 'name' | 'description'> & { type: string } {
  const [type, description] = (things as Record<string, string[]>)[name] ?? [];
  if (type === undefined || description === undefined)
    throw new Error(`things.json has no entry for ${name}`);
  return { name, type, description };
}

function relationOf([source, type, target, strength, description, from, to]: string[], ago: Ago): object {
  return {
    source,
    type,
    target,
    ...(strength && { strength: Number(strength) }),
    ...(description && { description }),
    ...(from && { validFrom: ago(Number(from)) }),
    ...(to && { validTo: ago(Number(to)) }),
  };
}

/** How the sessions went that were given a note, as written or else made from how often it was used. */
function judgedIn({ judged, notes }: z.output<typeof DemoFile>) {
  return [
    ...judged.map(({ key, went }) => ({
      key,
      went: went.map(([daysAgo, source, result, reason = '']) => ({
        daysAgo: Number(daysAgo),
        ...Review.pick({ source: true, result: true }).parse({ source, result }),
        reason,
      })),
    })),
    ...notes.filter(({ key }) => !judged.some((one) => one.key === key)).map(judgedByUse),
  ];
}

const MOST_SESSIONS = 6;
const DAYS_BETWEEN = 4;

/** The latest sessions of a note of which the demo tells only how often it was used, in the order they happened. */
function judgedByUse({
  key,
  daysAgo,
  used: [last = 0, recalls = 0, helpful = 0] = [],
}: z.output<typeof Learned>) {
  const sessions = Math.min(recalls, MOST_SESSIONS);
  const step = Math.min(DAYS_BETWEEN, (daysAgo - last) / sessions);
  const helpedIn = (first: number) => Math.round((first * helpful) / recalls);
  const went = Array.from({ length: sessions }, (_, index) => {
    const helped = helpedIn(index + 1) > helpedIn(index);
    return {
      daysAgo: last + Math.floor(step * (sessions - 1 - index)),
      source: 'trace' as const,
      result: helped ? ('pass' as const) : ('fail' as const),
      reason: helped ? 'The agent followed it.' : 'The task was about something else.',
    };
  });
  return { key, went };
}

/** The signals a note would have after these sessions. */
function signalsOf(
  [last = 0, , , proofs = 0, stale = 0]: number[],
  went: ReadonlyArray<{ result: Review['result'] }>,
  ago: Ago,
): Partial<Signals> {
  const recalls = went.length;
  const helpful = went.filter(({ result }) => result === 'pass').length;
  return {
    qValue: (helpful + 1) / (recalls + 2),
    quality: proofs >= 5 ? 5 : proofs >= 2 ? 4 : 3,
    uses: recalls,
    successes: helpful,
    proofCount: proofs,
    recallCount: recalls,
    helpfulCount: helpful,
    ignoredCount: Math.max(0, recalls - helpful - stale),
    staleCount: Math.min(stale, recalls - helpful),
    lastRecalledAt: ago(last),
    maturity: proofs >= 5 ? 'core' : proofs >= 2 ? 'validated' : 'draft',
  };
}
