import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ENTITY_TYPES, Note, RELATION_TYPES, STATUSES } from '#contract/entities.ts';
import { normaliseNote, parseDocument, renderDocument } from './document-format.ts';
import { DocumentProblem } from './document-yaml.ts';

const HEAD = { id: 'lrn-run-the-tests-1a2b3c', createdAt: 1_700_000_000_000, updatedAt: 1_700_000_000_001 };
const render = (note: Note) => renderDocument({ ...normaliseNote(note), ...HEAD });
/** Through bytes, as the disk would have it. */
const throughDisk = (text: string) => Buffer.from(text).toString('utf8');
const readBack = (note: Note) => {
  const { markdown, sidecar } = render(note);
  return parseDocument({ markdown: throughDisk(markdown), sidecar: throughDisk(sidecar) });
};

const HOSTILE = [
  '---',
  '--- ',
  'ends in ---',
  '---\n---\n',
  '...',
  '# no comment',
  'a: b',
  '- list',
  '{',
  '[',
  '}',
  '"',
  "'",
  '`',
  '|',
  '>',
  '>-',
  '&a',
  '*a',
  '!!js x',
  '!tag',
  '%TAG',
  '@',
  '? ',
  ': ',
  'null',
  '~',
  'true',
  'no',
  'yes',
  'on',
  '0x1F',
  '1e3',
  '.nan',
  '-0',
  '012',
  '2024-01-01',
  '=',
  '<<',
  ' ',
  '  leading',
  'trailing  ',
  '\t',
  '\ttab',
  '\n',
  '\n\n',
  'a\n',
  'a\n\n',
  ' \n',
  '\n ',
  ' \n ',
  '\t\n',
  '\na',
  'a\n b\n  c',
  ' a\nb',
  'a \nb',
  '\r',
  'a\r\nb',
  'a\rb',
  '\u0000',
  '\u0007',
  '\u0085',
  '\u00a0',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\ufffe',
  '\ud83d',
  'é',
  'e\u0301',
  '日本語',
  '🧠',
  '𝔘',
  '\\',
  '\\n',
  'x'.repeat(3_000),
  'word '.repeat(2_000),
  '__proto__',
  'constructor',
];
const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  {
    weight: 2,
    arbitrary: fc.array(fc.constantFrom(...HOSTILE), { maxLength: 5 }).map((parts) => parts.join('')),
  },
  { weight: 2, arbitrary: fc.lorem({ mode: 'sentences', maxCount: 8 }) },
);
const line = text.map((value) => value.slice(0, 400));
const time = fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 8.64e15 }));
const name = fc.string({ minLength: 1, maxLength: 20, unit: 'binary' });

const note: fc.Arbitrary<Note> = fc.record({
  title: line.map((value) => value || 'title'),
  category: line,
  type: line,
  tags: fc.array(line, { maxLength: 5 }),
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  problem: text,
  rootCause: text,
  fix: text,
  rule: text,
  keyInsight: text,
  body: text,
  project: line,
  branch: fc.option(line.map((value) => value.slice(0, 300))),
  scope: fc.constantFrom('project', 'global'),
  status: fc.constantFrom(...STATUSES),
  isLatest: fc.boolean(),
  supersededBy: fc.option(line),
  speculative: fc.boolean(),
  outcome: fc.constantFrom('pass', 'fail', 'none'),
  task: text,
  summary: text,
  keyMistake: text,
  correctAction: text,
  applicableTools: fc.array(line, { maxLength: 3 }),
  guidance: text,
  toolsUsed: fc.array(line, { maxLength: 3 }),
  metadata: fc.dictionary(
    fc.oneof(name, fc.constantFrom(...HOSTILE.slice(0, 40))),
    fc.jsonValue({ maxDepth: 3 }),
    { maxKeys: 4 },
  ),
  forgetAfter: time,
  validated: fc.boolean(),
  unverifiedRefs: fc.array(line, { maxLength: 3 }),
  provenance: fc.record({
    agent: text,
    transcript: text,
    session: text,
    chunk: text,
    spanStart: fc.nat(),
    spanEnd: fc.nat(),
    commit: text,
    quote: text,
  }),
  entities: fc.array(fc.record({ name, type: fc.constantFrom(...ENTITY_TYPES), description: text }), {
    maxLength: 3,
  }),
  relations: fc.array(
    fc.record({
      source: name,
      target: name,
      type: fc.constantFrom(...RELATION_TYPES),
      description: text,
      strength: fc.integer({ min: 1, max: 10 }),
      committedAt: time,
      validFrom: time,
      validTo: time,
    }),
    { maxLength: 3 },
  ),
});

describe('a rendered note', () => {
  test('keeps a long text that ends in lines of blanks', () => {
    const summary = `${'x'.repeat(3_000)}\n \n `;
    expect(readBack(Note.parse({ title: 'x', summary })).note.summary).toBe(summary);
  });

  test('is read back as the note it was, whatever its words', () => {
    fc.assert(
      fc.property(note, (given) => {
        const expected = JSON.stringify(Note.parse(normaliseNote(given)));
        const { note: back, id, createdAt, updatedAt } = readBack(given);
        expect(JSON.stringify(Note.parse(back))).toBe(expected);
        expect({ id, createdAt, updatedAt }).toEqual(HEAD);
      }),
    );
  });

  test.each(HOSTILE)('keeps %j in every place a text can stand', (value) => {
    const given = Note.parse({
      title: value.slice(0, 400),
      tags: [value.slice(0, 400)],
      rule: value,
      body: value,
      metadata: { [value]: value },
      provenance: { quote: value },
    });
    expect(readBack(given).note).toEqual(normaliseNote(given));
  });

  test('loses only foreign line ends, trailing blanks and half characters of its body', () => {
    const given = (body: string) => normaliseNote(Note.parse({ title: 't', body })).body;
    expect(given('a\r\nb\rc  \n\n\t')).toBe('a\nb\nc');
    expect(given('\n\n  a')).toBe('\n\n  a');
    expect(given('cut 🧠'.slice(0, -1))).toBe('cut \ufffd');
    expect(given('---\nid: x\n---\nnot front matter')).toBe('---\nid: x\n---\nnot front matter');
  });

  test('is the same to the byte every time', () => {
    fc.assert(
      fc.property(note, (given) => {
        expect(render(given)).toEqual(render(structuredClone(given)));
        expect(render(normaliseNote(given))).toEqual(render(given));
      }),
      { numRuns: 50 },
    );
  });

  test('leaves out empty fields', () => {
    const { markdown, sidecar } = render(
      Note.parse({ title: 'Run the tests with vitest', rule: 'Never jest.', body: 'Because.\n' }),
    );
    expect(markdown).toBe(
      [
        '---',
        'id: lrn-run-the-tests-1a2b3c',
        'created: 2023-11-14T22:13:20.000Z',
        'updated: 2023-11-14T22:13:20.001Z',
        'title: Run the tests with vitest',
        'category: general',
        'type: pattern',
        'tags: []',
        'confidence: 0.6',
        'rule: Never jest.',
        '---',
        '',
        'Because.',
        '',
      ].join('\n'),
    );
    expect(sidecar).toBe(
      'document_id: lrn-run-the-tests-1a2b3c\nextracted_at: 2023-11-14T22:13:20.001Z\nentities: []\nrelationships: []\n',
    );
  });
});

describe('a file written by hand', () => {
  const parse = (markdown: string, sidecar: string | null = null) => parseDocument({ markdown, sidecar });
  const problem = (markdown: string, sidecar: string | null = null) => {
    try {
      parse(markdown, sidecar);
    } catch (error) {
      if (error instanceof DocumentProblem) return error.message;
      throw error;
    }
    return 'it was read';
  };

  test('needs no more than a title', () => {
    expect(parse('---\ntitle: Use tabs\n---')).toEqual({
      id: null,
      stripped: false,
      createdAt: null,
      updatedAt: null,
      note: Note.parse({ title: 'Use tabs' }),
    });
    expect(parse('---\ntitle: Use tabs\ntags:\nforget_after:\n---\nBody').note).toEqual(
      Note.parse({ title: 'Use tabs', body: 'Body' }),
    );
  });

  test('may have the line ends of Windows, a byte order mark and spaces after its dashes', () => {
    const { note } = parse(
      '\ufeff--- \r\ntitle: Use tabs\r\nrule: |\r\n  one\r\n  two\r\n---  \r\n\r\nBody\r\nmore\r\n',
    );
    expect(note).toMatchObject({ title: 'Use tabs', rule: 'one\ntwo\n', body: 'Body\nmore' });
  });

  test('may have dashes at the end of a value and in its body', () => {
    expect(parse('---\ntitle: Separate with ---\nrule: a\n---\nx\n---\ny').note).toMatchObject({
      title: 'Separate with ---',
      rule: 'a',
      body: 'x\n---\ny',
    });
  });

  test.each([
    ['no front matter', 'Just text', /front matter between two lines of ---/],
    ['front matter without an end', '---\ntitle: x\n', /front matter between two lines of ---/],
    ['nothing', '', /front matter/],
    ['empty front matter', '---\n---\n', /title/],
    ['broken YAML', '---\ntitle: "x\n---\n', /front matter is not valid YAML/],
    ['a list for front matter', '---\n- a\n---\n', /front matter is not valid/],
    [
      'a bomb of aliases',
      `---\ntitle: x\nmetadata:\n  a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefg'
        .split('')
        .map((key, at) => `  ${key}: &${key} [${Array(9).fill(`*${'abcdefg'[at]}`).join()}]`)
        .join('\n')}\n---\n`,
      /not valid YAML/,
    ],
    ['a field twice', '---\ntitle: x\ntitle: y\n---\n', /not valid YAML/],
    ['a field of the wrong type', '---\ntitle: x\nroot_cause: [a]\n---\n', /root_cause/],
    ['a number for a title', '---\ntitle: 404\n---\n', /title/],
    ['a value out of range', '---\ntitle: x\nconfidence: 7\n---\n', /confidence/],
    ['an unknown status', '---\ntitle: x\nstatus: done\n---\n', /status/],
    ['a tag that is no text', '---\ntitle: x\ntags: [a, 5]\n---\n', /tags\.1/],
    ['a bad date', '---\ntitle: x\ncreated: yesterday\n---\n', /created is not a date: yesterday/],
    ['an impossible date', '---\ntitle: x\nforget_after: 2026-02-99\n---\n', /forget_after is not a date/],
    ['an unknown provenance', '---\ntitle: x\nprovenance:\n  author: me\n---\n', /provenance.*author/],
    ['an id that leads out of the folder', '---\ntitle: x\nid: ../../etc/passwd\n---\n', /id/],
  ])('with %s is refused by a sentence that names the field', (_what, markdown, message) => {
    expect(problem(markdown)).toMatch(message);
  });

  test('with front matter of another program keeps it and writes it back', () => {
    const { note } = parse(
      '---\ntitle: x\npermalink: team/x\naliases: [y]\nproject_id: shop\n---\n\nText\n',
      null,
    );
    expect(note.frontMatter).toEqual({ permalink: 'team/x', aliases: ['y'], project_id: 'shop' });
    const { markdown } = renderDocument({ ...note, ...HEAD });
    expect(markdown).toContain('permalink: team/x\naliases:\n  - y\nproject_id: shop\n---');
    expect(parse(markdown, null).note).toEqual(note);
  });

  const GOOD = '---\ntitle: x\n---\n';
  test.each([
    ['broken YAML', 'entities: [', /entities file is not valid YAML/],
    [
      'an unknown relation',
      'relationships:\n  - { source: a, target: b, type: likes }',
      /relationships\.0\.type/,
    ],
    ['an unknown entity type', 'entities:\n  - { name: a, type: person }', /entities\.0\.type/],
    [
      'a bad timestamp',
      'relationships:\n  - { source: a, target: b, type: uses, tvalid: soon }',
      /tvalid is not a date: soon/,
    ],
    [
      'a relation without an end',
      'relationships:\n  - { source: a, type: uses }',
      /relationships\.0\.target/,
    ],
    ['a misspelt section', 'entites: []', /entites/],
    ['a text', 'hello', /entities file/],
  ])('whose entities file has %s is refused by a sentence that names it', (_what, sidecar, message) => {
    expect(problem(GOOD, sidecar)).toMatch(message);
  });

  test('whose entities file is empty has no entities', () => {
    expect(parse(GOOD, '').note.entities).toEqual([]);
    expect(parse(GOOD, 'entities:\nrelationships:\n').note.relations).toEqual([]);
  });
});

test('an impossible date is refused before anything is written', () => {
  expect(() => renderDocument({ ...Note.parse({ title: 'x', forgetAfter: 9e15 }), ...HEAD })).toThrow(
    /later than any date/,
  );
});
