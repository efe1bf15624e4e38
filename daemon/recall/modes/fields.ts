import type { Learning } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';

export type FieldValue = string | number | null;

interface Field {
  name: string;
  read(learning: Learning): FieldValue;
}

const LONGEST = 500; // characters

const date = (at: number | null): FieldValue => (at === null ? null : new Date(at).toISOString());
const list = (words: readonly string[]): FieldValue => words.join(', ');

/** Fields that can be asked for alone, from a note's front matter or else from a section of its body. */
const FIELDS: Readonly<Record<string, Field['read']>> = {
  id: ({ id }) => id,
  title: ({ title }) => title,
  rule: ({ rule, body }) => rule || section(body, ['Rule']),
  fix: ({ fix, body }) => fix || section(body, ['Solution', 'Fix']),
  problem: ({ problem, body }) => problem || section(body, ['Problem']),
  root_cause: ({ rootCause, body }) => rootCause || section(body, ['Root Cause', 'Cause']),
  key_insight: ({ keyInsight, body }) => keyInsight || section(body, ['Key Insight']),
  body: ({ body }) => body,
  category: ({ category }) => category,
  type: ({ type }) => type,
  tags: ({ tags }) => list(tags),
  confidence: ({ confidence }) => confidence,
  proof_count: ({ signals }) => signals.proofCount,
  project: ({ project }) => project,
  branch: ({ branch }) => branch,
  scope: ({ scope }) => scope,
  status: ({ status }) => status,
  outcome: ({ outcome }) => outcome,
  task: ({ task }) => task,
  summary: ({ summary }) => summary,
  key_mistake: ({ keyMistake }) => keyMistake,
  correct_action: ({ correctAction }) => correctAction,
  guidance: ({ guidance }) => guidance,
  applicable_tools: ({ applicableTools }) => list(applicableTools),
  tools_used: ({ toolsUsed }) => list(toolsUsed),
  agent: ({ provenance }) => provenance.agent,
  commit: ({ provenance }) => provenance.commit,
  created: ({ createdAt }) => date(createdAt),
  updated: ({ updatedAt }) => date(updatedAt),
  forget_after: ({ forgetAfter }) => date(forgetAfter),
  q_value: ({ signals }) => signals.qValue,
  quality: ({ signals }) => signals.quality,
  uses: ({ signals }) => signals.uses,
  successes: ({ signals }) => signals.successes,
  recall_count: ({ signals }) => signals.recallCount,
  helpful_count: ({ signals }) => signals.helpfulCount,
  importance: ({ signals }) => signals.importance,
  maturity: ({ signals }) => signals.maturity,
};

/** Names the seeds use for the same thing. */
const ALIASES: Readonly<Record<string, string>> = {
  confidence_num: 'confidence',
  solution: 'fix',
  learning_type: 'type',
  created_at: 'created',
  updated_at: 'updated',
};

/** The field of that name, in snake_case or camelCase; an unknown name is refused with the list of known ones. */
export function fieldNamed(name: string): Field {
  const snake = name
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  const known = ALIASES[snake] ?? snake;
  const read = Object.hasOwn(FIELDS, known) ? FIELDS[known] : undefined;
  if (!read)
    throw new DaemonError(
      'bad-input',
      `there is no field ${JSON.stringify(name.slice(0, 60))}; there are ${Object.keys(FIELDS).join(', ')}`,
    );
  return { name: known, read };
}

/** The one field of a learning, short enough to be injected; null when the note does not say. */
export function projected(learning: Learning, field: Field): FieldValue {
  const value = field.read(learning);
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (text === '') return null;
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1).toWellFormed()}…` : text;
}

/** The text below a heading, up to the next of the same or a higher rank; `#` lines within code are no headings. */
function section(body: string, headings: readonly string[]): string {
  const wanted = headings.map((heading) => heading.toLowerCase());
  const kept: string[] = [];
  let inCode = false;
  let inside = false;
  for (const line of body.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) inCode = !inCode;
    const heading = inCode ? null : /^##? +(.{1,80})/.exec(line);
    if (heading && inside) break;
    if (inside) kept.push(line);
    else if (heading && wanted.includes((heading[1] ?? '').replace(/[\s:#]+$/, '').toLowerCase()))
      inside = true;
  }
  return kept.join('\n');
}
