import { expect, test } from 'vitest';
import { SessionEvents } from '../../testing/session-events.ts';
import { permissionReply } from './permission-reply.ts';

const policies = (session: SessionEvents, settings = {}) =>
  session.noticed(settings).moments.filter(({ signal }) => signal === permissionReply.id);
const asks = () =>
  new SessionEvents()
    .human('Publish the package')
    .calls('Bash', { command: 'npm publish --tag next' })
    .happens({ kind: 'permission', tool: 'Bash', granted: null });

test.each([
  [
    'never do that yourself',
    'deny-always',
    'Never use Bash for `npm publish --tag next`. Asked for permission, the person answered: “never do that yourself”',
  ],
  [
    'yes, always',
    'allow-always',
    'Bash for `npm publish --tag next` may always be used without asking. Asked for permission, the person answered: “yes, always”',
  ],
  [
    'only for the next tag',
    'allow-scoped',
    'Bash for `npm publish --tag next` may be used, within limits. Asked for permission, the person answered: “only for the next tag”',
  ],
])('SG8: "%s" is %s for good, and high', (answer, verdict, quote) => {
  expect(policies(asks().human(answer))).toMatchObject([
    {
      type: 'policy',
      score: 0.85,
      speculative: false,
      quote,
      why: [`answers a request for permission (${verdict})`],
    },
  ]);
  expect(policies(asks().human(answer), { [permissionReply.switch.name]: false })).toEqual([]);
});

test.each([
  ['yes', 'allow-once'],
  ['no', 'deny-once'],
])(
  'SG8: "%s" is meant for once: no policy, and if wanted only an unconfirmed one of medium weight',
  (answer, verdict) => {
    expect(policies(asks().human(answer))).toEqual([]);
    expect(policies(asks().human(answer), { REFLECT_PERMISSION_ONCE: true })).toMatchObject([
      { score: 0.5, speculative: true, why: [`answers a request for permission (${verdict})`] },
    ]);
  },
);

test('SG8: one request has one answer', () => {
  expect(policies(asks().human('hm, what does it do?').human('never do that'))).toEqual([]);
});

test('SG8: a notification that asks for permission counts, any other does not', () => {
  const notified = (text: string) => new SessionEvents().happens({ kind: 'meta', text }).human('never');
  expect(policies(notified('Claude needs your permission to use WebFetch'))).toMatchObject([
    { quote: expect.stringContaining('Never use WebFetch.') as string },
  ]);
  expect(policies(notified('Claude is waiting for your input'))).toEqual([]);
});

test('SG8: a request that was answered elsewhere arms nothing', () => {
  expect(
    policies(asks().happens({ kind: 'permission', tool: 'Bash', granted: true }).human('never use tabs')),
  ).toEqual([]);
});
