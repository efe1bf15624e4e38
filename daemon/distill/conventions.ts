import { existsSync, lstatSync, mkdirSync, readlinkSync, symlinkSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Conventions, Observation } from '#contract/distill.ts';
import { DaemonError } from '#contract/errors.ts';
import { writeFileAtomic } from '../platform/files.ts';
import { readTextOrEmpty } from '../platform/read-file.ts';
import { flag, type UserResolve } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';
import {
  conventionsOf,
  conventionsWritten,
  outdateConventions,
  staleConventions,
} from '../store/distill/conventions.ts';
import { projectFolder } from '../store/learnings/document-path.ts';
import { projectName, projectRoot } from '../store/learnings/learnings.ts';
import type { Store } from '../store/learnings/write.ts';
import { listObservations } from '../store/distill/observations.ts';
import { oneLine } from '../text/one-line.ts';
import { dateOf } from '../platform/time.ts';
import { sha256 } from '../platform/sha256.ts';

export const conventionsDocument = {
  id: 'distill.conventions',
  seeds: ['O2'],
  doc: "Keeps a project's conventions in one document, rewritten whenever its observations change.",
  switch: flag('REFLECT_CONVENTIONS', true, 'Keep the document of conventions up to date'),
  knobs: {},
} satisfies PortCard;

interface ConventionsParts {
  store: Store;
  /** The folder of all convention documents. */
  folder: string;
}

const MOST_LISTED = 200;
const FILE = 'CONVENTIONS.md';

/** The path of a project's document. A name that had to be changed to be safe gets a hash, so that it stays unique. */
export function conventionsPath(folder: string, project: string): string {
  const safe = project === '' ? 'global' : projectFolder(project);
  const name =
    project === '' || (safe === project && safe !== 'global')
      ? safe
      : `${safe}-${sha256(project).slice(0, 6)}`;
  return join(folder, name, FILE);
}

/** Rewrites stale documents and returns how many. One that cannot be written stays stale. */
export function refreshStale(
  parts: ConventionsParts,
  resolve: UserResolve,
  onProblem: (project: string, error: unknown) => void,
): number {
  if (!resolve(conventionsDocument.switch)) return 0;
  let written = 0;
  for (const project of staleConventions(parts.store.db)) {
    try {
      writeConventions(parts, project);
      written += 1;
    } catch (error) {
      onProblem(project, error);
    }
  }
  return written;
}

/** Writes the document of a project now, stale or not. */
export function refreshConventions(parts: ConventionsParts, project: string): Conventions {
  outdateConventions(parts.store.db, project);
  try {
    writeConventions(parts, project);
  } catch (error) {
    throw new DaemonError(
      'read-only',
      `${conventionsPath(parts.folder, project)} cannot be written: ${(error as Error).message}`,
    );
  }
  return getConventions(parts, project);
}

function writeConventions({ store: { db, now }, folder }: ConventionsParts, project: string): void {
  const listed = observationsFor({ db }, project);
  const at = now();
  // The file is written first, so that a document marked as fresh exists.
  writeFileAtomic(
    conventionsPath(folder, project),
    renderConventions(project === '' ? 'all projects' : projectName(db, project), listed, at),
    0o644,
  );
  conventionsWritten(db, project, listed.length, at);
}

const observationsFor = ({ db }: Pick<Store, 'db'>, project: string) =>
  listObservations(db, project === '' ? [''] : [project, ''], 'active', MOST_LISTED);

export function renderConventions(name: string, listed: readonly Observation[], at: number): string {
  const categories = [...Map.groupBy(listed, ({ category }) => category)].toSorted(([a], [b]) =>
    a.localeCompare(b),
  );
  const sections = categories.map(([category, all]) =>
    [
      `## ${oneLine(category)}`,
      ...all.map(({ content, proofCount }) => `- ${oneLine(content)} _(evidence ×${proofCount})_`),
    ].join('\n'),
  );
  const date = dateOf(at);
  return [
    `# Conventions of ${oneLine(name)}`,
    `_Last refreshed ${date} · ${listed.length} convention${listed.length === 1 ? '' : 's'}_`,
    'Written by Reflect from repeated corrections; edits here are overwritten.',
    ...sections,
  ]
    .join('\n\n')
    .concat('\n');
}

export function getConventions({ store: { db }, folder }: ConventionsParts, project: string): Conventions {
  const path = conventionsPath(folder, project);
  const row = conventionsOf(db, project);
  const text = readTextOrEmpty(path);
  const link = linkIn(projectRoot(db, project));
  return {
    project,
    path,
    text,
    observations: row?.observations ?? 0,
    refreshedAt: row?.refreshedAt ?? 0,
    // A missing document counts as stale.
    stale: text === '' || (row?.stale ?? true),
    link: link !== null && pointsTo(link, path) ? link : '',
  };
}

const linkIn = (root: string) => (root === '' ? null : join(root, FILE));

function pointsTo(link: string, path: string): boolean {
  const stat = lstatSync(link, { throwIfNoEntry: false });
  return stat?.isSymbolicLink() === true && readlinkSync(link) === path;
}

/** Links the document into a repository. Another file of that name is not replaced. */
export function linkConventions(parts: ConventionsParts, project: string, root: string): Conventions {
  const path = conventionsPath(parts.folder, project);
  if (!existsSync(path)) refreshConventions(parts, project);
  const link = join(root, FILE);
  if (!pointsTo(link, path)) {
    if (lstatSync(link, { throwIfNoEntry: false }))
      throw new DaemonError('conflict', `${link} already exists and was not made by Reflect`);
    tryTo(link, () => {
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(path, link);
    });
  }
  return { ...getConventions(parts, project), link };
}

export function unlinkConventions(parts: ConventionsParts, project: string, root: string): Conventions {
  const link = join(root, FILE);
  if (!pointsTo(link, conventionsPath(parts.folder, project)))
    throw new DaemonError('not-found', `${link} is not a link to the conventions`);
  tryTo(link, () => unlinkSync(link));
  return { ...getConventions(parts, project), link: '' };
}

function tryTo(link: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw new DaemonError('read-only', `${link}: ${(error as Error).message}`);
  }
}
