import { expect, test } from 'vitest';
import type { TranscriptEvent } from '../transcripts/adapter.ts';
import { OWN_RUN_FOLDER, OWN_RUN_MARKER } from './own-runs.ts';
import { SessionCapture } from './pipeline.ts';

const CORRECTION = "no, don't bump payments.proto without regenerating the clients, run make proto-gen";

/** The words noticed in a session of these turns, a person's and an agent's in turn, once it has gone quiet. */
function noticed(said: string[], cwd = '/home/ada/billing'): string[] {
  const session = new SessionCapture((knob) => knob.default);
  const fed = said.map((text, at) => {
    const common = {
      at,
      session: 's',
      uuid: `u${at}`,
      cwd,
      branch: null,
      span: { start: at, end: at + 1 },
      subagent: false,
    };
    const event: TranscriptEvent =
      at % 2 === 0 ? { ...common, kind: 'prompt', text, via: 'typed' } : { ...common, kind: 'reply', text };
    return session.feed(event);
  });
  return [...fed, session.rest()].flatMap(({ moments }) => moments.map(({ quote }) => quote));
}

const dialogue = (first: string) => [first, 'I bumped payments.proto and pushed.', CORRECTION];

test('a session whose first prompt is a writer’s is not learned from', () => {
  expect(noticed(dialogue('Bump the proto'))).toEqual([CORRECTION]);
  expect(noticed(dialogue(`${OWN_RUN_MARKER}\nTake notes.`))).toEqual([]);
});

test('a session in the writers’ folder is not learned from, whatever it begins with', () => {
  expect(noticed(dialogue('Bump the proto'), `/home/ada/.reflect/run/${OWN_RUN_FOLDER}`)).toEqual([]);
  expect(noticed(dialogue('Bump the proto'), `C:\\Users\\ada\\.reflect\\run\\${OWN_RUN_FOLDER}`)).toEqual([]);
});

test('a person who merely quotes the marker is still listened to', () => {
  expect(noticed(dialogue(`What does "${OWN_RUN_MARKER}" mean?`))).toEqual([CORRECTION]);
  expect(
    noticed(['Bump the proto', 'Done.', OWN_RUN_MARKER, 'I bumped payments.proto and pushed.', CORRECTION]),
  ).toContain(CORRECTION);
});
