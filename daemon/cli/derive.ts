import { type Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { type Call, type Input, type Method, METHODS, type Output } from '#contract/methods.ts';
import { inner } from '#contract/schema.ts';
import { listOf, numberOf, pairOf, wholeNumber } from './values.ts';
import { print } from './output.ts';
import { withDaemon } from './session.ts';

/** Arguments and options by name, parsed to the types of the contract. */
export type Given = Readonly<Record<string, unknown>>;

interface Flag {
  doc?: string;
  /** The field it fills, if its name differs. */
  field?: string;
  /** The placeholder for its value in the help. A flag that fills no field has one only if it takes a value. */
  value?: string;
  required?: boolean;
  /** One letter, without its dash. */
  short?: string;
}

/** A command as a row: the contract says what it takes, the row how that is typed and how the output is printed. */
interface CommandRow<M extends Method> {
  /** Its words and arguments, as `slots append <name> <text>`. An argument has the name of the field it fills. */
  use: string;
  method: M;
  /** Called instead with `--preview`; same output, no changes. */
  preview?: Method;
  /** Its description, if the contract's does not fit. */
  doc?: string;
  args?: Readonly<Record<string, string | Flag>>;
  flags?: Readonly<Record<string, string | Flag>>;
  /** Shown below the options. */
  help?: string;
  /** Asks the person before the call; throws when they refuse. */
  ask?: (given: Given, call: Call) => Promise<void>;
  /** Fields that are computed rather than typed; the current folder is filled in automatically. */
  input?: (given: Given, call: Call) => Partial<Input<M>> | Promise<Partial<Input<M>>>;
  print: (output: Output<M>, given: Given) => void;
  /** Printed instead of an empty list. */
  none?: string;
  /** True if the command should exit with 1, so that scripts notice. */
  fails?: (output: Output<M>) => boolean;
}

type AnyRow = CommandRow<Method>;

/** Type-checks a row against its own method before it joins a table of rows. */
export const row = <M extends Method>(definition: CommandRow<M>): AnyRow => definition;

/** Adds a command for every row. A group that is not a command itself needs a description. */
export function deriveCommands(
  program: Command,
  rows: readonly AnyRow[],
  groups: Readonly<Record<string, string>> = {},
): void {
  for (const [name, doc] of Object.entries(groups)) commandAt(program, [name]).description(doc);
  for (const definition of rows) derive(program, definition);
}

function derive(program: Command, definition: AnyRow): void {
  const { use, method, preview, help, ask, doc = METHODS[method].doc, flags = {} } = definition;
  const words = use.split(' ').filter((word) => /^\w/.test(word));
  const args = use.split(' ').filter((word) => !/^\w/.test(word));
  const command = commandAt(program, words).description(doc);
  for (const arg of args) addArgument(command, arg, definition);
  for (const [name, flag] of Object.entries(flags))
    command.addOption(optionOf(name, typeof flag === 'string' ? { doc: flag } : flag, fieldsOf(method)));
  if (preview) command.option('--preview', 'show the result; write nothing');
  if (help) command.addHelpText('after', help);
  command.action(async (...typed: unknown[]) => {
    const values = typed.slice(0, args.length).map((value, index) => [nameOf(args[index] ?? ''), value]);
    const given: Given = { ...(typed.at(-2) as object), ...Object.fromEntries(values) };
    await withDaemon(
      command,
      async (call) => {
        await ask?.(given, call);
        const input = await inputOf(definition, given, call);
        const output = await call(given.preview && preview ? preview : method, input as never); // the daemon validates it
        if (definition.fails?.(output)) process.exitCode = 1;
        return output;
      },
      (output) => {
        const isEmpty = Array.isArray(output) && output.length === 0;
        if (isEmpty && definition.none !== undefined) print(definition.none);
        else definition.print(output, given);
      },
    );
  });
}

function commandAt(program: Command, words: readonly string[]): Command {
  const [word, ...rest] = words;
  if (word === undefined) return program;
  const known = program.commands.find((command) => command.name() === word) ?? program.command(word);
  return commandAt(known, rest);
}

const nameOf = (arg: string) => arg.replace(/[[\]<>.]/g, '');

function fieldsOf(method: Method): Record<string, z.ZodType> {
  const { input } = METHODS[method];
  return input instanceof z.ZodObject ? input.shape : {};
}

function addArgument(command: Command, arg: string, { method, args = {} }: AnyRow): void {
  const name = nameOf(arg);
  const described = args[name] ?? {};
  const { doc, field = name } = typeof described === 'string' ? { doc: described } : described;
  const read = readerOf(fieldsOf(method)[field]);
  // Variadic words are joined to one text later; commander passes them to the action as a list.
  if (read && !arg.includes('...')) command.argument(arg, doc ?? '', read);
  else command.argument(arg, doc);
}

function optionOf(name: string, flag: Flag, fields: Record<string, z.ZodType>): Option {
  const schema = fields[flag.field ?? name];
  const type = schema && inner(schema);
  const dashed = `--${name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`;
  const names = flag.short ? `-${flag.short}, ${dashed}` : dashed;
  const isSwitch = type ? type instanceof z.ZodBoolean : flag.value === undefined;
  const option = new Option(
    isSwitch ? names : `${names} <${flag.value ?? valueOf(type)}>`,
    flag.doc ?? schema?.description ?? '',
  );
  if (flag.required) option.makeOptionMandatory();
  if (type instanceof z.ZodEnum) option.choices(type.options.map(String));
  const read = isSwitch ? undefined : readerOf(schema);
  if (read) option.argParser(read);
  return option;
}

function valueOf(type: z.ZodType | undefined): string {
  if (type instanceof z.ZodNumber) return 'n';
  if (type instanceof z.ZodArray) return 'list';
  return type instanceof z.ZodRecord ? 'key=value' : 'text';
}

/** The parser for the text of a field; undefined if it stays text. */
function readerOf(schema: z.ZodType | undefined): ((text: string, before: unknown) => unknown) | undefined {
  const type = schema && inner(schema);
  if (type instanceof z.ZodNumber) return type.isInt ? wholeNumber : numberOf;
  if (type instanceof z.ZodArray)
    return (text, before) => [...((before as string[] | undefined) ?? []), ...listOf(text)];
  if (type instanceof z.ZodRecord)
    return (text, before) => pairOf(text, before as Record<string, string> | undefined);
  if (type instanceof z.ZodBoolean) return yesOrNo;
  return undefined;
}

function yesOrNo(word: string): boolean {
  if (!/^(?:yes|no|true|false)$/i.test(word)) throw new InvalidArgumentError('Expected yes or no.');
  return /^(?:yes|true)$/i.test(word);
}

async function inputOf(
  { method, args = {}, flags = {}, input }: AnyRow,
  given: Given,
  call: Call,
): Promise<object> {
  const fields = fieldsOf(method);
  const typed = Object.entries(given).flatMap(([name, value]) => {
    const described = { ...args, ...flags }[name];
    const field = (typeof described === 'object' ? described.field : undefined) ?? name;
    const schema = fields[field];
    if (!schema || value === undefined) return [];
    const isText = Array.isArray(value) && !(inner(schema) instanceof z.ZodArray);
    return [[field, isText ? value.join(' ') : value]];
  });
  return {
    ...('cwd' in fields ? { cwd: process.cwd() } : {}),
    ...Object.fromEntries(typed),
    ...(await input?.(given, call)),
  };
}
