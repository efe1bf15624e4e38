import type { Entity } from '#contract/entities.ts';

type EntityType = Entity['type'];

const TECHNOLOGIES =
  `typescript javascript python rust golang java kotlin swift ruby php react svelte vue angular nextjs nodejs node deno bun vite webpack
  eslint prettier jest vitest playwright cypress pytest cargo tokio grpc protobuf graphql rest http websocket docker kubernetes terraform ansible nginx
  redis postgres postgresql mysql sqlite mongodb kafka rabbitmq aws gcp azure github gitlab ci electron tailwind css html json yaml toml markdown bash
  pnpm npm yarn pip poetry maven gradle git`.split(/\s+/);
const COMMAND =
  /^(?:npm|pnpm|yarn|npx|git|make|cargo|go|python3?|pytest|docker|kubectl|node|bun|gh|pip|uv|terraform|eslint|tsc|vitest|jest)\b/;

const WITH_ARGUMENTS = /^[a-z][\w.-]*(?: [\w./:@=<>{}"'-]+)+$/;

/** Values, types, trunks, hashes and removed secrets, which would tie together notes that have nothing in common. */
const NAMES_NOTHING =
  /^(?:true|false|null|nil|none|undefined|string|number|boolean|int|main|master|[\d.]+|(?=\w*\d)[\da-f]{7,40}|.*\[redacted.*)$/i;

const MOST_ENTITIES = 8;

/** Things a text names: code spans, files, identifiers and known technologies, in order of appearance. */
export function nameEntities(text: string): Entity[] {
  const found = new Map<string, EntityType>();
  const add = (name: string, type: EntityType) => {
    const clean = name.trim().replace(/[.,;:]+$/, '');
    const isName = clean.length > 1 && clean.length <= 80 && !NAMES_NOTHING.test(clean);
    if (isName && !found.has(clean)) found.set(clean, type);
  };
  for (const [, code = ''] of text.matchAll(/`([^`\n]{2,80})`/g)) add(code, typeOfCode(code));
  for (const [path] of text.matchAll(
    /(?:(?<![\w./-])\.|\b)(?:[\w.-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:ts|tsx|js|jsx|py|rs|go|java|proto|json|ya?ml|toml|md|sql|sh|css|svelte|vue|html|lock|env)\b/g,
  ))
    add(path, 'concept');
  for (const [name] of text.matchAll(/\b[a-z]+[A-Z][A-Za-z0-9]{2,}\b|\b[a-z]+_[a-z0-9_]{2,}\b/g))
    add(name, 'function');
  for (const [error] of text.matchAll(/\b[A-Z][A-Za-z]+(?:Error|Exception)\b/g)) add(error, 'error');
  for (const technology of TECHNOLOGIES) if (mentions(text, technology)) add(technology, 'technology');
  return [...found].slice(0, MOST_ENTITIES).map(([name, type]) => ({ name, type, description: '' }));
}

/** Files, settings and other names of a project are concepts; a command is a tool, with its arguments or without. */
function typeOfCode(code: string): EntityType {
  if (COMMAND.test(code) || WITH_ARGUMENTS.test(code)) return 'tool';
  if (/Error|Exception/.test(code)) return 'error';
  if (/\(\)?$|^[a-z]+[A-Z]/.test(code)) return 'function';
  return TECHNOLOGIES.includes(code.toLowerCase()) ? 'technology' : 'concept';
}

/** Short words to find a note by. */
export function nameTags(text: string): string[] {
  const technologies = TECHNOLOGIES.filter((technology) => mentions(text, technology));
  const files = nameEntities(text)
    .filter(({ type }) => type !== 'error')
    .map(({ name }) => name.split('/').at(-1) ?? name)
    .filter((name) => /^[\w.-]{2,30}$/.test(name))
    .map((name) => name.toLowerCase());
  return [...new Set([...technologies, ...files])].slice(0, 8);
}

const mentions = (text: string, word: string) => new RegExp(`(?<![\\w./-])${word}(?![\\w-])`, 'i').test(text);
