import type { McpServer } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import { withFieldNames } from '#contract/field-names.ts';
import { type Call, type Input, type Method, METHODS, type Output } from '#contract/methods.ts';
import { messageOf } from '#contract/errors.ts';
import { ABOUT_ANSWERS } from '#contract/modes.ts';
import { lean } from './lean.ts';
import { projectAt, refuseElsewhere, type WorkingFolder, withCwd } from './working-folder.ts';

/** A tool as a row: the contract says what the method takes and returns, the row what an agent passes and reads. */
export interface ToolRow<M extends Method = Method, I extends z.ZodObject = z.ZodObject> {
  name: string;
  method: M;
  title: string;
  /** All an agent knows about the tool, so it also says when to use it. */
  description: string;
  /** The fields an agent may pass, where they are not those of the method. */
  input?: I;
  /** `overwrites` may lose text, which a person can undo. A row without it only reads. */
  changes?: 'adds' | 'overwrites';
  /** A change elsewhere becomes a question to a person; without it, it is refused. */
  asksElsewhere?: true;
  /** Builds the method's input, where it is not what the agent passed plus its folder. */
  toInput?(input: z.output<I>, here: WorkingFolder, call: Call): Input<M> | Promise<Input<M>>;
  /** Picks the part of the answer that is worth its tokens; all of it by default. */
  toAnswer?(output: Output<M>): unknown;
}

/** Checks a row against its own method and input before it joins the table. */
export const tool = <M extends Method, I extends z.ZodObject>(row: ToolRow<M, I>): ToolRow => row;

export function registerTools(
  server: McpServer,
  rows: readonly ToolRow[],
  connected: () => Promise<Call>,
  here: () => Promise<WorkingFolder>,
): void {
  for (const row of rows) {
    const { name, title, description } = row;
    server.registerTool(
      name,
      { title, description, inputSchema: inAnyCase(inputOf(row)), annotations: annotationsOf(row) },
      async (input: Record<string, unknown>) => {
        try {
          const answer = JSON.stringify(await run(row, input, await connected(), await here()));
          return { content: [text(answer), ...(row.changes ? [] : [text(ABOUT_ANSWERS)])] };
        } catch (error) {
          const content = [text(messageOf(error))];
          return { content, isError: true };
        }
      },
    );
  }
}

const inputOf = ({ input, method }: ToolRow): z.ZodObject => input ?? (METHODS[method].input as z.ZodObject); // a row for a method that takes a union brings its own

/** The schema with snake_case names as well, as Python agents write them; the list of tools shows the contract's. */
function inAnyCase(schema: z.ZodObject) {
  const { '~standard': standard } = schema;
  const validate = (value: unknown) => standard.validate(withFieldNames(schema, value));
  return { '~standard': { ...standard, validate } };
}

function annotationsOf({ title, changes }: ToolRow) {
  const overwrites = changes === 'overwrites';
  return {
    title,
    readOnlyHint: !changes,
    destructiveHint: overwrites,
    idempotentHint: overwrites || !changes,
    openWorldHint: false,
  };
}

async function run(
  row: ToolRow,
  input: Record<string, unknown>,
  call: Call,
  here: WorkingFolder,
): Promise<unknown> {
  const takesFolder = 'cwd' in inputOf(row).shape;
  const passed = takesFolder ? withCwd(input, here) : input;
  if (takesFolder && row.changes && !row.asksElsewhere)
    refuseElsewhere(projectAt(String(passed['cwd'] ?? '')), here);
  const asked = row.toInput ? await row.toInput(passed, here, call) : passed;
  const output = await call(row.method, asked as never); // the daemon validates it
  return lean(row.toAnswer ? row.toAnswer(output) : output);
}

const text = (text: string) => ({ type: 'text' as const, text });
