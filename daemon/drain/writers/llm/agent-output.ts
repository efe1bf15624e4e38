import * as z from 'zod';
import type { QuotaReading } from '#contract/writers.ts';
import { type Answer, Rejected } from './provider.ts';
import { readingsOfEvent, refusal } from './quota.ts';

const count = z.int().nonnegative().optional();
const Usage = z.object({
  input_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
  output_tokens: count,
});

/** The last event of Claude Code, or the only one, by the format it was asked for. */
const Result = z.object({
  type: z.literal('result'),
  is_error: z.boolean().default(false),
  result: z.string().default(''),
  usage: Usage.optional(),
  total_cost_usd: z.number().nonnegative().optional(),
  modelUsage: z.record(z.string(), z.unknown()).optional(),
});
const RateLimit = z.object({ type: z.literal('rate_limit_event'), rate_limit_info: z.unknown() });
/** Codex with `--json`. */
const CodexMessage = z.object({
  type: z.literal('item.completed'),
  item: z.object({ type: z.literal('agent_message'), text: z.string() }),
});
const CodexTurn = z.object({ type: z.literal('turn.completed'), usage: Usage });
const CodexFailure = z.object({ type: z.literal('turn.failed'), error: z.object({ message: z.string() }) });

/** Gemini CLI with `--output-format json`; it counts by model. */
const GeminiResult = z.object({
  response: z.string(),
  stats: z.object({
    models: z.record(z.string(), z.object({ tokens: z.object({ prompt: count, candidates: count }) })),
  }),
});

const LIMIT =
  /usage limit|hit your [\w ]{0,20}limit|limit reached|rate.?limit|too many requests|\b429\b|quota exceeded|insufficient_quota/i;

/** Reads an agent's output: a report in the form of Claude Code, Codex or Gemini CLI, or the answer itself. */
export function readAgentOutput(stdout: string, now: number): Answer {
  const events = eventsOf(stdout);
  const find = <T extends z.ZodType>(schema: T) =>
    events
      .map((event) => schema.safeParse(event).data)
      .filter((found): found is z.infer<T> => found !== undefined);
  const quota = find(RateLimit).flatMap(({ rate_limit_info: info }) => readingsOfEvent(info, now));
  const [result] = find(Result).slice(-1);
  const [failure] = find(CodexFailure).slice(-1);
  const complaint = result?.is_error ? result.result : failure?.error.message;
  if (complaint !== undefined) rejectIfLimited(complaint, quota, now);
  if (result) {
    const [model = ''] = Object.keys(result.modelUsage ?? {});
    return {
      text: result.result,
      model,
      ...tokensOf(result.usage),
      costUsd: result.total_cost_usd ?? null,
      quota,
    };
  }
  const [gemini] = find(GeminiResult).slice(-1);
  if (gemini) return { ...geminiAnswer(gemini), quota };
  const [message] = find(CodexMessage).slice(-1);
  const [turn] = find(CodexTurn).slice(-1);
  return {
    text: message?.item.text ?? complaint ?? stdout,
    model: '',
    ...tokensOf(turn?.usage),
    costUsd: null,
    quota,
  };
}

/** Only ever asked of a complaint: an answer may speak of rate limits as much as it likes. */
export function rejectIfLimited(complaint: string, quota: QuotaReading[], now: number): void {
  if (!LIMIT.test(complaint) && !quota.some(({ closed, window }) => closed && window !== 'overage')) return;
  const stated = /limit reached\|(\d{10})/.exec(complaint)?.[1];
  const resets = quota.filter(({ closed }) => closed).map(({ resetsAt }) => resetsAt ?? 0);
  throw new Rejected(complaint, [
    ...quota,
    refusal(stated ? Number(stated) * 1_000 : Math.max(0, ...resets) || null, now),
  ]);
}

function geminiAnswer({ response, stats }: z.infer<typeof GeminiResult>): Omit<Answer, 'quota'> {
  const used = Object.values(stats.models).map(({ tokens }) => tokens);
  const sum = (of: 'prompt' | 'candidates') => used.reduce((total, tokens) => total + (tokens[of] ?? 0), 0);
  return {
    text: response,
    model: Object.keys(stats.models).join(', '),
    tokensIn: sum('prompt'),
    tokensOut: sum('candidates'),
    costUsd: null,
  };
}

function tokensOf(usage: z.infer<typeof Usage> | undefined): {
  tokensIn: number | null;
  tokensOut: number | null;
} {
  if (!usage) return { tokensIn: null, tokensOut: null };
  const {
    input_tokens: fresh = 0,
    cache_creation_input_tokens: cached = 0,
    cache_read_input_tokens: reread = 0,
    output_tokens: out = 0,
  } = usage;
  return { tokensIn: fresh + cached + reread, tokensOut: out };
}

/** One object, a list of them, or one per line; what is no JSON is no event. */
function eventsOf(stdout: string): unknown[] {
  const parse = (text: string): unknown[] => {
    try {
      const value: unknown = JSON.parse(text);
      return Array.isArray(value) ? value : [value];
    } catch {
      return [];
    }
  };
  const whole = parse(stdout);
  return whole.length > 0
    ? whole
    : stdout.split('\n').flatMap((line) => (line.startsWith('{') ? parse(line) : []));
}
