import { describe, expect, test } from 'vitest';
import { nameEntities } from './mentions.ts';
import { relationsIn } from './relations.ts';

const edges = (text: string) =>
  relationsIn(text, nameEntities(text)).map(({ source, type, target }) => [source, type, target].join(' '));

describe('relations are typed where the words say how (S2)', () => {
  test.each([
    ['Use pnpm instead of npm', 'pnpm supersedes npm'],
    ['The config key is `directory`, not `folder`', 'directory supersedes folder'],
    ['The build.ts script requires DATABASE_URL', 'build.ts requires DATABASE_URL'],
    ['retryPolicy causes duplicate OrderPlaced events', 'retryPolicy causes OrderPlaced'],
    ['retryPolicy causes duplicate orders', 'retryPolicy causes duplicate orders'],
    ['Upgrading left-pad.js broke the release build', 'left-pad.js causes broke release build'],
    ['`make lock` prevents stale caches', 'make lock prevents stale caches'],
    ['connectPool fails because maxClients is read too late', 'connectPool caused_by maxClients'],
    ['The nightly job failed because maxClients was 0', 'nightly job failed caused_by maxClients'],
    [
      'openStore() returns before the index is built, so searches find nothing',
      'openStore() causes searches find nothing',
    ],
    ['Set `gpgsign` to false, otherwise commits hang in tests', 'gpgsign prevents commits hang in tests'],
    ['The exporter.ts script solves duplicate rows', 'exporter.ts solves duplicate rows'],
    [
      '`commitAll()` drops the trailer because `prepareMessage()` returns early',
      'drops trailer caused_by prepareMessage()',
    ],
    [
      'After the warning, `checkSessions` skips all calls, which prevents state capture',
      'checkSessions prevents state capture',
    ],
    ['The early return was caused by `Hidden: true`', 'early return caused_by Hidden: true'],
    ['`--watch` enables incremental builds', '--watch enables incremental builds'],
  ])('%s → %s', (text, edge) => expect(edges(text)).toContain(edge));

  test('a warning with what happened: the rule about the thing prevents it', () =>
    expect(
      edges(
        'no — don’t bump the shared payments.proto without regenerating the clients, it broke staging last time.',
      ),
    ).toEqual(['payments.proto prevents broke staging']));

  test.each([
    'retryPolicy does not cause duplicate orders',
    'retryPolicy may break orders.ts',
    'check whether retryPolicy breaks orders.ts',
    'Use redis because postgres is slow',
    'The bug was because `PendingCheckpointID` was reused',
    'Hooks are skipped (which fail because they use `go run`)',
    'I’ll check the provider quickly because `baseUrl` matters',
    'Nothing is saved when a page has no saveButton, because readForm looks for it',
  ])('nothing is said that was denied, guessed or asked: %s', (text) =>
    expect(edges(text).filter((edge) => !edge.includes(' relates_to '))).toEqual([]),
  );

  test('a noun that looks like a verb ties nothing', () =>
    expect(edges('Count the tool_use blocks, then call readFile')).toEqual(['tool_use relates_to readFile']));

  test('things that are merely named together are related', () =>
    expect(edges('Redis and Postgres')).toEqual(['redis relates_to postgres']));

  test('a name inside another is not named', () =>
    expect(edges('pnpm instead of yarn in .git/hooks')).toEqual(['pnpm supersedes yarn']));
});
