import type { TranscriptEvent } from '../transcripts/adapter.ts';

export type Prompt = Extract<TranscriptEvent, { kind: 'prompt' }>;

export type Reply = Extract<TranscriptEvent, { kind: 'reply' }>;

export type ToolCall = Extract<TranscriptEvent, { kind: 'tool_call' }>;

export type ToolResult = Extract<TranscriptEvent, { kind: 'tool_result' }>;
