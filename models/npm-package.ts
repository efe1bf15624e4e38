import { execFile } from 'node:child_process';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { download, SourceFailure, type Network } from './download.ts';

const run = promisify(execFile);

interface PackageVersion {
  package: string;
  version: string;
}

/** Downloads a package's tarball to `folder` without installing it; no code of the package runs. */
export async function fetchTarball(
  wanted: PackageVersion,
  folder: string,
  network: Network,
  onBytes: (received: number, total: number | null) => void,
): Promise<string> {
  const tarball = join(folder, `${wanted.package.replaceAll('/', '-')}-${wanted.version}.tgz`);
  await mkdir(folder, { recursive: true });
  const part = `${tarball}.part`;
  try {
    await download(await tarballAddress(wanted, network), part, network, onBytes);
    await rename(part, tarball);
  } catch (error) {
    network.signal?.throwIfAborted();
    if (!(error instanceof SourceFailure)) throw error;
    // A registry with credentials refuses a plain download but serves the npm client.
    await packWithClient(wanted, folder, tarball, network, error);
  }
  return tarball;
}

async function tarballAddress({ package: name, version }: PackageVersion, network: Network): Promise<string> {
  const answer = await npm(['view', `${name}@${version}`, 'dist.tarball', '--json'], network);
  const address = z.url().safeParse(JSON.parse(answer || 'null'));
  if (!address.success) throw new SourceFailure(`the registry does not know ${name}@${version}`);
  return address.data;
}

async function packWithClient(
  { package: name, version }: PackageVersion,
  folder: string,
  tarball: string,
  network: Network,
  first: SourceFailure,
): Promise<void> {
  const own = join(folder, `pack-${process.pid}`);
  await mkdir(own, { recursive: true });
  try {
    const answer = await npm(
      ['pack', `${name}@${version}`, '--json', '--ignore-scripts', '--pack-destination', own],
      network,
    );
    const [packed] = z.array(z.looseObject({ filename: z.string() })).parse(JSON.parse(answer));
    if (!packed) throw first;
    await rename(join(own, packed.filename.replace('@', '').replace('/', '-')), tarball);
  } catch {
    // The error of the direct download is closer to the cause.
    throw first;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

async function npm(command: string[], { signal, timeouts }: Network): Promise<string> {
  const limits = ['--fetch-retries=0', `--fetch-timeout=${timeouts.stallMs}`, '--loglevel=error'];
  try {
    // On Windows npm is a .cmd file, which needs a shell.
    const options = {
      shell: process.platform === 'win32',
      timeout: 10 * 60_000,
      ...(signal ? { signal } : {}),
    };
    return (await run('npm', [...command, ...limits], options)).stdout.trim();
  } catch (error) {
    signal?.throwIfAborted();
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new SourceFailure(
      missing ? 'npm is not available on this machine' : `npm could not ${command[0]} ${command[1]}`,
    );
  }
}
