import { readdirSync, readFileSync } from 'node:fs';
import watcher from '@parcel/watcher';
import { expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '../testing/temp-home.ts';
import { WATCH_BACKEND } from './watch-backend.ts';

function children(): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return (
        /^\d+$/.test(name) &&
        readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1] === String(process.pid)
      );
    } catch {
      return false; // ended while we looked
    }
  });
}

test.runIf(process.platform === 'linux')('watching a folder leaves no process behind', async () => {
  const before = children();
  const subscription = await watcher.subscribe(tempFolder(), () => {}, WATCH_BACKEND);
  onTestFinished(() => subscription.unsubscribe());
  expect(children()).toEqual(before);
});
