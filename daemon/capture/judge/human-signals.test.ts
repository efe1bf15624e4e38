import { describe, expect, test } from 'vitest';
import { SessionEvents } from '../../testing/session-events.ts';

const session = () => new SessionEvents();
/** The moments as [signal, words], once the session has gone quiet. */
const noticed = (events: SessionEvents, settings = {}) =>
  events.noticedToTheEnd(settings).moments.map(({ signal, quote }) => [signal.replace('signal.', ''), quote]);
const started = () =>
  session()
    .human('Add a basket page')
    .agent('Working on it.')
    .edits('basket.ts')
    .agent("Done, I've added the page.");

describe('what a person says is noticed by how it comes', () => {
  test('turning a tool call down, however short', () => {
    const events = started()
      .calls('Bash', { command: 'npm i lodash' })
      .happens({ kind: 'prompt', text: 'edit the template, that file is generated', via: 'rejection' })
      .agent('Understood.');
    expect(noticed(events)).toEqual([['rejection', 'edit the template, that file is generated']]);
  });

  test('answering a question of the agent', () => {
    const events = started()
      .happens({ kind: 'prompt', text: 'Where should the tests live? → beside the code', via: 'answer' })
      .agent('Moving them.');
    expect(noticed(events)).toEqual([['answer', 'Where should the tests live? → beside the code']]);
  });

  test('typing while the agent works', () => {
    const events = started()
      .happens({
        kind: 'prompt',
        text: "don't touch the legacy importer, we should only change the new one",
        via: 'queued',
      })
      .agent('Got it.');
    expect(noticed(events)).toEqual([
      ['queued', "don't touch the legacy importer, we should only change the new one"],
    ]);
  });

  test('stopping the agent first', () => {
    const events = started()
      .happens({ kind: 'interruption' })
      .human('only touch the parser module, leave the lexer alone')
      .agent('Reverting the lexer.');
    expect(noticed(events)).toEqual([['redirect', 'only touch the parser module, leave the lexer alone']]);
  });

  test('having to say it again', () => {
    expect(
      noticed(started().human('as I said, dates must be printed in UTC').agent("You're right.")),
    ).toEqual([['repeated', 'as I said, dates must be printed in UTC']]);
  });

  test('deciding what was offered', () => {
    const events = session()
      .human('Where do sessions go?')
      .agent('We can use Redis or SQLite. Which would you prefer?')
      .human("let's go with SQLite for now, we don't need Redis")
      .agent('OK.');
    expect(noticed(events)).toEqual([['decision', "let's go with SQLite for now, we don't need Redis"]]);
  });

  test('saying how things should be', () => {
    expect(
      noticed(started().human("I'd prefer table tests instead of one function per case").agent('Rewriting.')),
    ).toEqual([['preference', "I'd prefer table tests instead of one function per case"]]);
  });

  test('a question right after a claim to be done, once the agent agrees', () => {
    expect(noticed(started().human("we didn't write any tests?").agent('Good catch, adding them.'))).toEqual([
      ['correction', "we didn't write any tests?"],
    ]);
  });
});

describe('what is none', () => {
  test.each([
    ['a bare yes', 'yes', "You're right!"],
    ['thanks', 'thank you!', 'Welcome.'],
    ['a greeting', 'hello there', 'Got it, you are right.'],
    ['go on', 'ok, commit and push', 'Pushed.'],
    ['a pasted plan', 'Implement the following plan: never use npm, always use pnpm instead.', 'Starting.'],
    ['an explanation asked for', 'can you explain what the reducer does?', 'It folds events.'],
    ['a test prompt of another program', 'Reply with exactly OK. Do not edit files.', 'OK'],
  ])('%s', (_what, text, reply) => {
    expect(noticed(started().human(text).agent(reply))).toEqual([]);
  });

  test('what is said inside a subagent', () => {
    expect(
      noticed(
        started()
          .happens(
            { kind: 'prompt', text: "no, don't do that, use pnpm instead", via: 'typed' },
            { subagent: true },
          )
          .agent('ok'),
      ),
    ).toEqual([]);
  });
});

const PLAN = [
  'Implement the following plan:',
  '# Versioned stanzas',
  'The installer appends a line and never looks at what is there.',
  'Write the new package and call it from `setup.go`.',
  'Generated files must never be edited by hand.',
  'Run `make check` before committing anything.',
].join('\n');
const PLAN_RULES =
  'Generated files must never be edited by hand.\nRun `make check` before committing anything.';

test.each([
  ['a pasted plan', PLAN],
  ['a text longer than people type', `Background: ${'the importer reads rows. '.repeat(70)}\n${PLAN}`],
])('of %s only the rules in it are noticed', (_what, text) => {
  const events = session().human(text).agent("You're right, starting.");
  expect(noticed(events, { REFLECT_CAPTURE_BAR: 0.05 })).toEqual([['preference', PLAN_RULES]]);
});

test('of what an agent orders a subagent to do only the rules are noticed', () => {
  const events = started().happens({ kind: 'prompt', text: PLAN, via: 'typed' }, { subagent: true });
  expect(noticed(events, { REFLECT_CAPTURE_BAR: 0.05 })).toContainEqual(['preference', PLAN_RULES]);
});

test.each([
  ['a number', '2'],
  ['its name', 'option B'],
])('a very short reply that picks an option by %s is a decision', (_what, reply) => {
  const scoreAfter = (before: string) =>
    session()
      .human('Plan the ids')
      .agent(before)
      .human(reply)
      .agent('Ids are made in the store then.')
      .noticed({ REFLECT_CAPTURE_BAR: 0.05 })
      .moments.find(({ quote }) => quote === reply)?.score ?? 0;
  const offer =
    'Where should ids be made? Option A: in the client. Option B: in the store. 1. client 2. store';
  expect(scoreAfter(offer)).toBeGreaterThan(0.3);
  expect(scoreAfter('Ids are made.')).toBeLessThan(0.3);
});

test('when the agent is stopped and corrected again in other words, only the last wording is kept', () => {
  const events = started()
    .human("no, don't show totals on the basket page yet")
    .agent("You're right, I'll hide them.")
    .happens({ kind: 'interruption' })
    .human("no, don't show totals on the basket page, only in the mail")
    .agent("You're right.");
  const { moments, voided } = events.noticedToTheEnd();
  expect(moments.filter(({ key }) => !voided.includes(key)).map(({ quote }) => quote)).toEqual([
    "no, don't show totals on the basket page, only in the mail",
  ]);
});

test('a moment carries what the agent said first and how it summed its turn up, without narration', () => {
  const events = started()
    .human("no, don't use npm here, use pnpm instead")
    .agent("You're right, pnpm it is.");
  for (let step = 0; step < 6; step++) events.agent(`Let me look at file ${step}.`).edits(`file${step}.ts`);
  for (let step = 0; step < 6; step++)
    events.agent(`The file ${step} named npm in its second line, which is gone.`);
  const summary = 'Every script calls pnpm now, because the lock file is written by pnpm alone.';
  const { moments, continuations } = events.agent(summary).human('thanks').noticedToTheEnd();
  const [moment] = moments.filter(({ signal }) => signal === 'signal.correction');
  const told = [
    ...(moment?.turns ?? []),
    ...continuations.filter(({ key }) => key === moment?.key).map(({ turn }) => turn),
  ].map(({ text }) => text);
  expect(told).toContain("You're right, pnpm it is.");
  expect(told).toContain(summary);
  expect(told.filter((text) => text.startsWith('Let me'))).toEqual([]);
});

test('a moment carries the message of the commit that follows it, and of no later one', () => {
  const { moments, continuations } = started()
    .human("no, don't use npm here, use pnpm instead")
    .agent("You're right, pnpm it is.")
    .runs('git commit -m "Use pnpm instead of npm in every script"', '[main 1a2b3c4] Use pnpm')
    .runs('git commit -m "Tidy up"', '[main 5d6e7f8] Tidy up')
    .noticedToTheEnd();
  const [moment] = moments.filter(({ signal }) => signal === 'signal.correction');
  const told = continuations.filter(({ key }) => key === moment?.key).map(({ turn }) => turn.text);
  expect(told).toContain('git commit: Use pnpm instead of npm in every script');
  expect(told.join()).not.toContain('Tidy up');
});

test('curly quotes are read as straight ones', () => {
  expect(noticed(started().human('no, don’t mock the database').agent('OK.'))).toEqual([
    ['correction', 'no, don’t mock the database'],
  ]);
});

test('stopped and sent again with more in it, only the whole is kept', () => {
  const words = "no, let's not show totals";
  const events = started()
    .human(words)
    .happens({ kind: 'interruption' })
    .human(`${words}, and rename the column`)
    .agent("You're right.");
  expect(noticed(events).map(([, quote]) => quote)).toEqual([`${words}, and rename the column`]);
});

test('it waits for the agent, whose reaction is part of the judgement', () => {
  const said = started().human('the ids are strings in that table');
  expect(said.noticed().moments).toEqual([]);
  expect(said.agent("You're right, they should be strings.").noticed().moments).toHaveLength(1);
});

test('said last, it is judged without a reaction once the session has gone quiet', () => {
  const said = started().human("no, we never edit generated files, don't do that");
  expect(said.noticed().moments).toEqual([]);
  expect(noticed(said)).toHaveLength(1);
});

test('it says why, strongest first, in the words of the cues', () => {
  const [moment] = started()
    .human("no, don't use npm here, use pnpm instead")
    .agent("You're right.")
    .noticed().moments;
  expect(moment?.why.slice(0, 2)).toEqual(['the agent gave in', 'refuses']);
  expect(moment?.score).toBeGreaterThan(0.8);
});

test('the bar decides how much is kept', () => {
  const events = started().human('use the shared button there').agent('Done.');
  expect(noticed(events, { REFLECT_CAPTURE_BAR: 0.05 }).map(([, quote]) => quote)).toContain(
    'use the shared button there',
  );
  expect(noticed(events, { REFLECT_CAPTURE_BAR: 0.95 })).toEqual([]);
});

test.each(['REJECTION', 'CORRECTION'])('REFLECT_SIGNAL_%s switches its own kind off and no other', (name) => {
  const events = started()
    .happens({ kind: 'prompt', text: "don't run that, use make instead", via: 'rejection' })
    .agent('OK.')
    .human("but we don't have a test for this, do we?")
    .agent('Good catch.');
  const kinds = noticed(events, { [`REFLECT_SIGNAL_${name}`]: false }).map(([kind]) => kind);
  expect(kinds).toEqual(['rejection', 'correction'].filter((kind) => kind !== name.toLowerCase()));
});

describe('what is retracted', () => {
  const said = started()
    .human("don't use testify, match the plain style instead")
    .agent('Rewriting.')
    .human('actually never mind, the tests read well, keep it')
    .agent('Fine.')
    .noticedToTheEnd();
  test('voids what was noticed in it', () => {
    expect(said.moments[0]?.quote).toContain('testify');
    expect(said.voided).toContain(said.moments[0]?.key);
  });
});
