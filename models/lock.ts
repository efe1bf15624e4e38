import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const HEARTBEAT_MS = 5_000;
const STALE_MS = 30_000;
const LOOK_AGAIN_MS = 200;

/**
 * Runs `work` while no other caller, in this process or another, works in `folder`. A dead holder is detected at once
 * by its process id or, if the system reused that id, by the heartbeat that stopped.
 */
export async function withLock<T>(
  folder: string,
  work: () => Promise<T>,
  { onWaiting, signal }: { onWaiting?: (() => void) | undefined; signal?: AbortSignal | undefined } = {},
): Promise<T> {
  await mkdir(folder, { recursive: true });
  const lock = join(folder, '.fetching');
  const mine = `${process.pid} ${randomUUID()}`;
  for (let waited = false; !(await claim(lock, mine)); waited = true) {
    if (!waited) onWaiting?.();
    await sleep(LOOK_AGAIN_MS, undefined, { signal });
  }
  const heartbeat = setInterval(
    () => void utimes(lock, new Date(), new Date()).catch(() => {}),
    HEARTBEAT_MS,
  );
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    // Removed only if it is still ours: after the machine slept, another process may have taken it over.
    if ((await readFile(lock, 'utf8').catch(() => '')) === mine) await rm(lock, { force: true });
  }
}

async function claim(lock: string, mine: string): Promise<boolean> {
  try {
    await writeFile(lock, mine, { flag: 'wx' });
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const holder = await readFile(lock, 'utf8').catch(() => null);
  if (holder !== null && (await isStale(lock, holder))) {
    await removeLock(lock, holder);
  }
  return false;
}

/** Several processes may see the same dead holder; one that moved a newer lock by mistake puts it back. */
async function removeLock(lock: string, holder: string): Promise<void> {
  const aside = `${lock}.${randomUUID()}`;
  const moved = await rename(lock, aside).then(
    () => true,
    () => false,
  );
  if (!moved) return;
  if ((await readFile(aside, 'utf8')) !== holder) await link(aside, lock).catch(() => {});
  await rm(aside, { force: true });
}

async function isStale(lock: string, holder: string): Promise<boolean> {
  const touched = await stat(lock).then(
    ({ mtimeMs }) => mtimeMs,
    () => Date.now(),
  );
  if (Date.now() - touched > STALE_MS) return true;
  const pid = Number(holder.split(' ')[0]);
  // The file was just created and its holder has not written its id yet.
  if (!pid) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
