import type { TranscriptAdapter } from './adapter.ts';
import { amp } from './amp.ts';
import { antigravity } from './antigravity.ts';
import { claudeCode } from './claude-code.ts';
import { cline, roo } from './cline.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { droid } from './droid.ts';
import { gemini } from './gemini.ts';
import { goose } from './goose.ts';
import { grok } from './grok.ts';
import { kimi } from './kimi.ts';
import { aider } from './markdown.ts';
import { openCode } from './opencode.ts';
import { ohMyPi, openClaw, pi } from './pi.ts';
import { qwen } from './qwen.ts';

/** Every agent whose transcripts Reflect can read. */
export const AGENTS: readonly TranscriptAdapter[] = [
  claudeCode,
  codex,
  copilot,
  openCode,
  gemini,
  qwen,
  pi,
  ohMyPi,
  openClaw,
  droid,
  cursor,
  grok,
  kimi,
  antigravity,
  amp,
  goose,
  cline,
  roo,
  aider,
];
