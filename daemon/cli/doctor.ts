import { accessSync, constants, existsSync, statSync } from 'node:fs';
import type { Finding } from '#contract/agents.ts';
import type { DaemonStatus } from '#contract/status.ts';
import { createClient } from '#contract/methods.ts';
import type { RunFile } from '#contract/run-file.ts';
import { messageOf } from '#contract/errors.ts';
import { missingBuild } from '../platform/native-libraries.ts';
import type { Paths } from '../platform/paths.ts';
import { VERSION } from '../platform/version.ts';
import { connectTo } from '../client/connect.ts';
import { versionGap } from '../client/daemon-control.ts';
import type { InstallContext } from '../agents/agent.ts';
import { AGENTS } from '../agents/all-agents.ts';
import { checkAgents } from '../agents/checkup.ts';
import { plural } from './output.ts';

const STATUS_TIMEOUT = 5_000; // ms

/** Checks everything that can be wrong and suggests fixes. Does not start the daemon. */
export async function diagnose(paths: Paths, context: InstallContext): Promise<Finding[]> {
  return [
    checkNode(),
    ...checkLibraries(),
    checkHome(paths),
    ...checkPrivacy(paths),
    ...(await checkDaemon(paths)),
    ...(await checkAgents(AGENTS, context)),
  ];
}

async function checkDaemon(paths: Paths): Promise<Finding[]> {
  const open = await connectTo(paths, STATUS_TIMEOUT);
  if (!open) return [{ ok: false, what: 'Reflect is not running', advice: '`reflect start`' }];
  try {
    const call = createClient(open.connection.send);
    return [
      checkVersion(open.run),
      ...checkStatus(await call('status', {})),
      ...(await call('config.unknown', { variables: Object.keys(process.env), cwd: process.cwd() })).map(
        (what) => ({ ok: false, what, advice: 'it has no effect; `reflect config` lists all settings' }),
      ),
    ];
  } catch (error) {
    return [
      checkVersion(open.run),
      {
        ok: false,
        what: `the daemon returned no status: ${messageOf(error)}`,
        advice: '`reflect stop`, then `reflect start`',
      },
    ];
  } finally {
    open.close();
  }
}

function checkStatus(status: DaemonStatus): Finding[] {
  const missing = status.models.filter(({ state }) => state !== 'ready' && state !== 'loaded');
  const watched = status.sources.filter(({ present }) => present);
  const badLines = status.sources.reduce((sum, source) => sum + source.badLines, 0);
  return [
    ...status.notices.map((what) => ({ ok: false, what, advice: 'the app shows the details' })),
    {
      ok: status.index.state !== 'lexical-only',
      what: `index: ${status.index.state}, ${plural(status.index.vectors, 'vector')}`,
      ...(status.index.state === 'lexical-only' ? { advice: '`reflect models get`' } : {}),
    },
    ...missing.map(({ id, role, state, detail }) => ({
      ok: role === 'cross-encoder' && state === 'missing', // recall ranks without one
      what: `model ${id}: ${state}${detail ? ` (${detail})` : ''}`,
      advice:
        role === 'cross-encoder' ? 'optional; `reflect models get` downloads it' : '`reflect models get`',
    })),
    watched.length > 0
      ? {
          ok: true,
          what: `watching ${watched.map(({ agent }) => agent).join(', ')}${badLines > 0 ? `, ${plural(badLines, 'line')} could not be read` : ''}`,
        }
      : {
          ok: true,
          what: 'no transcripts found yet',
          advice: 'Reflect finds them after the first session of an agent',
        },
    {
      ok: status.documentProblems === 0,
      ...(status.documentProblems > 0
        ? {
            what: `${plural(status.documentProblems, 'note file')} cannot be read`,
            advice: 'the Inbox in the app shows why',
          }
        : { what: 'all note files can be read' }),
    },
  ];
}

function checkVersion({ pid, version }: RunFile): Finding {
  if (version === VERSION)
    return { ok: true, what: `Reflect is running (process ${pid}, version ${version})` };
  return { ok: false, what: versionGap(version) };
}

/** A library without a build for this system is no fault of the person, so it is said and nothing is advised. */
function checkLibraries(): Finding[] {
  return (['sqlite-vec', 'onnxruntime-node'] as const)
    .map((library) => missingBuild(library))
    .flatMap((what) => (what === null ? [] : { ok: true, what }));
}

function checkNode(): Finding {
  const ok = Number(process.versions.node.split('.')[0]) >= 22;
  return { ok, what: `Node ${process.versions.node}`, ...(ok ? {} : { advice: 'install Node 22 or newer' }) };
}

function checkHome({ home }: Paths): Finding {
  if (!existsSync(home)) return { ok: true, what: `${home} does not exist yet` };
  try {
    accessSync(home, constants.W_OK);
    return { ok: true, what: `${home} is writable` };
  } catch {
    return { ok: false, what: `${home} is read-only`, advice: 'Reflect cannot store learnings there' };
  }
}

/** The run file holds the token, so only its owner may read it. */
function checkPrivacy({ runFile }: Paths): Finding[] {
  if (process.platform === 'win32' || !existsSync(runFile)) return [];
  const open = (statSync(runFile).mode & 0o077) !== 0;
  return [
    {
      ok: !open,
      what: `run/daemon.json is ${open ? 'readable by others' : 'readable only by you'}`,
      ...(open ? { advice: 'chmod 600 it' } : {}),
    },
  ];
}
