import type * as z from 'zod';
import type { Call } from '#contract/methods.ts';

/** Where an agent works; '' when the server cannot know, and then the agent has to say it. */
export interface Here {
  cwd: string;
}

/** Something an agent may call. What it is told of it is all it knows, so the description teaches when to use it. */
export interface Tool<I extends z.ZodObject = z.ZodObject> {
  title: string;
  description: string;
  input: I;
  /** Changes nothing. */
  readOnly?: true;
  /** May lose what was there; it can be undone by a person. */
  destructive?: true;
  /** Twice is as good as once. */
  idempotent?: true;
  run(call: Call, input: z.output<I>, here: Here): Promise<unknown>;
}

export function tool<I extends z.ZodObject>(definition: Tool<I>): Tool {
  return definition as unknown as Tool; // each runs on what its own schema has parsed
}
