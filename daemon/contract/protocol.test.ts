import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { refusals } from './errors.ts';
import { METHODS } from './methods.ts';
import { methodSchemas, openRpc } from './openrpc.ts';
import { isStable, PROTOCOL_VERSION } from './protocol.ts';
import { type Surface, stableSurface } from './protocol-surface.ts';
import { DaemonEvent } from './status.ts';

interface Described {
  name: string;
  params: Array<{ name: string; required: boolean; schema: object }>;
  result: { schema: object };
  'x-stable': boolean;
}

const document = openRpc('1.2.3') as {
  openrpc: string;
  info: { version: string };
  methods: Described[];
  components: { schemas: Record<string, object>; errors: Record<string, { code: number }> };
};
const page = readFileSync(new URL('../../docs/protocol.md', import.meta.url), 'utf8');

describe('the OpenRPC document', () => {
  test('has every method once, and every error', () => {
    expect(document.methods.map(({ name }) => name).toSorted()).toEqual(
      [...Object.keys(METHODS), 'events.subscribe'].toSorted(),
    );
    expect(Object.keys(document.components.errors)).toEqual(refusals().map(({ name }) => name));
  });

  test('has schemas that a validator takes, and every reference leads somewhere', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    const all = document.methods.flatMap(({ params, result }) => [...params, result]);
    const everything = { anyOf: all.map(({ schema }) => schema), components: document.components };
    expect(() => ajv.compile(everything)).not.toThrow();
  });

  test('says of an input what the daemon would', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    const accepts = ajv.compile(methodSchemas('memories.query').input);
    expect(accepts({ task: 'Retry a request', limit: 3 })).toBe(true);
    expect(accepts({ limit: 3 })).toBe(false);
    expect(accepts({ task: 'Retry a request', limit: 1_000 })).toBe(false);
    expect(accepts({ task: 'Retry a request', colour: 'red' })).toBe(false);
  });

  test('allows answers to gain fields', () => {
    expect(JSON.stringify(document.methods.map(({ result }) => result))).not.toContain(
      '"additionalProperties":false',
    );
  });
});

const PROMISED = JSON.parse(readFileSync(new URL('./protocol-1.json', import.meta.url), 'utf8')) as Record<
  string,
  Surface
>;

/** The promised fields and methods that are gone. */
function broken(now: Record<string, Surface>, promised: Record<string, Surface>): string[] {
  return Object.entries(promised).flatMap(([name, { needs, takes, gives }]) => {
    const method = now[name];
    if (!method) return [`${name} is gone`];
    return [
      ...takes.filter((field) => !method.takes.includes(field)).map((field) => `${name} refuses ${field}`),
      ...method.needs.filter((field) => !needs.includes(field)).map((field) => `${name} needs ${field}`),
      ...gives.filter((field) => !method.gives.includes(field)).map((field) => `${name} lacks ${field}`),
    ];
  });
}

describe('the promise of version 1', () => {
  test('is kept: nothing a client may rely on is gone', () => {
    expect(Object.keys(PROMISED).length).toBeGreaterThan(50);
    expect(broken(stableSurface(), PROMISED)).toEqual([]);
    expect(PROTOCOL_VERSION).toMatch(/^1\./);
  });

  test('would be seen to break', () => {
    const one = { needs: ['a'], takes: ['a', 'b'], gives: ['x', 'x[].y'] };
    expect(broken({}, { m: one })).toEqual(['m is gone']);
    expect(broken({ m: { needs: ['a', 'b'], takes: ['a'], gives: ['x'] } }, { m: one })).toEqual([
      'm refuses b',
      'm needs b',
      'm lacks x[].y',
    ]);
    expect(broken({ m: { ...one, takes: ['a', 'b', 'c'], gives: [...one.gives, 'z'] } }, { m: one })).toEqual(
      [],
    );
  });
});

describe('docs/protocol.md', () => {
  test('lists every error with its number', () => {
    const listed = [...page.matchAll(/^\| `([a-z-]+)` \| (-\d+) \|/gm)].map(([, name, code]) => [
      name,
      Number(code),
    ]);
    expect(listed).toEqual(refusals().map(({ name, code }) => [name, code]));
  });

  test('lists every event', () => {
    const types = DaemonEvent.options.map(({ shape }) => shape.type.value);
    expect(types.filter((type) => !page.includes(`\`${type}\``))).toEqual([]);
  });

  test('names the version and every stable namespace, and no method that does not exist', () => {
    expect(page).toContain(`**${PROTOCOL_VERSION}**`);
    const [promise = ''] = /Stable are the namespaces[^.]*/.exec(page) ?? [];
    const listed = [...promise.matchAll(/`([a-z]+)`/g)].map(([, name]) => name);
    const stable = document.methods
      .filter(({ name }) => isStable(name))
      .map(({ name }) => name.split('.')[0]);
    expect(listed.toSorted()).toEqual([...new Set(stable)].toSorted());
    const namespaces = new Set(document.methods.map(({ name }) => name.split('.')[0]));
    const named = [...page.matchAll(/`([a-z]+\.[a-zA-Z]+)`/g)]
      .map(([, name = '']) => name)
      .filter((name) => namespaces.has(name.split('.')[0] ?? '') && !page.includes(`${name}.md`));
    const events: string[] = DaemonEvent.options.map(({ shape }) => shape.type.value);
    const known = new Set([...document.methods.map(({ name }) => name), ...events]);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});
