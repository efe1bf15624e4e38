import { expect, test } from 'vitest';
import { SessionEvents } from '../../testing/session-events.ts';

const CAUSE =
  'Found the bug! `parseRange` drops the last page because the loop stops at `size - 1` instead of `size`. Let me fix this.';
const failing = () =>
  new SessionEvents()
    .human('The export misses rows')
    .runs('npm test', 'FAIL pages.test.ts', { failed: true });
const noticed = (events: SessionEvents, settings = {}) =>
  events.noticedToTheEnd(settings).moments.map(({ signal, quote, speculative }) => ({
    signal: signal.replace('signal.', ''),
    quote,
    speculative,
  }));

test('a cause that was found is reported when the turn is over, and is sure once the person goes on', () => {
  const events = failing().agent(CAUSE).edits('pages.ts').runs('npm test', '1 passed');
  expect(events.noticed().moments.filter(({ signal }) => signal === 'signal.root-cause')).toEqual([]);
  expect(noticed(events.human('great, commit'))).toContainEqual({
    signal: 'root-cause',
    quote: CAUSE,
    speculative: false,
  });
});

test('asserted, and nothing said since: speculative', () => {
  expect(noticed(failing().agent(CAUSE))).toContainEqual({
    signal: 'root-cause',
    quote: CAUSE,
    speculative: true,
  });
});

test('of several tries at one cause only the strongest is kept', () => {
  const guess =
    'The issue is `parseRange`: the loop that drops the last page. Let me check if `size - 1` matters.';
  const causes = noticed(failing().agent(guess).agent(CAUSE).human('ok')).filter(
    ({ signal }) => signal === 'root-cause',
  );
  expect(causes.map(({ quote }) => quote)).toEqual([CAUSE]);
});

test('a cause the person questions at once is let go', () => {
  expect(
    noticed(
      failing().agent(CAUSE).human('are you sure? the loop looks right to me').agent('Let me look again.'),
    ).map(({ signal }) => signal),
  ).not.toContain('root-cause');
});

test('a cause that the person refutes a message later is retracted', () => {
  const { moments, voided } = failing()
    .agent(CAUSE)
    .human('ok, commit it')
    .agent('Committed.')
    .human('it still fails with the same rows missing')
    .agent('Let me look again.')
    .noticedToTheEnd();
  const cause = moments.find(({ signal }) => signal === 'signal.root-cause');
  expect(voided).toContain(cause?.key);
});

test('what a subagent found is noticed, and is a guess: it reports to another agent', () => {
  const inside = { subagent: true };
  const events = new SessionEvents()
    .human('Why does the export miss rows?')
    .happens({ kind: 'prompt', text: 'Find out why rows are missing', via: 'typed' }, inside)
    .happens({ kind: 'reply', text: CAUSE }, inside)
    .agent('The subagent is done.')
    .human('great, commit');
  expect(noticed(events)).toContainEqual({ signal: 'root-cause', quote: CAUSE, speculative: true });
});

test('a trap the agent fell into is a gotcha', () => {
  const trap =
    "One command I tried (`bun --check x.ts`) actually executed the script, which must never happen without `--dry-run`. I'm adding a guard.";
  expect(
    noticed(failing().agent(trap).human('ok'))
      .filter(({ signal }) => signal === 'gotcha')
      .map(({ quote }) => quote),
  ).toEqual([trap]);
});

test.each([
  'Let me run the tests again to see what the issue is.',
  'Done. All tests pass and the changes are committed.',
  'Now I will update the helper and then look at the other file.',
])('narration and reports are none: %j', (text) => {
  expect(noticed(failing().agent(text).human('ok'))).toEqual([]);
});

test('the agent restating what it was just taught is part of that lesson, not one of its own', () => {
  const restated =
    "You're right, the issue is that `retry` must never run in the worker because the gateway retries. Let me fix that.";
  const events = new SessionEvents()
    .human('Add retries')
    .agent('Done.')
    .human("no, we don't retry in the worker, the gateway does")
    .agent(restated)
    .human('ok');
  const { moments, continuations } = events.noticedToTheEnd();
  expect(moments.map(({ signal }) => signal)).toEqual(['signal.correction']);
  expect(
    [...(moments[0]?.turns ?? []), ...continuations.map(({ turn }) => turn)].map(({ text }) => text),
  ).toContain(restated);
});
