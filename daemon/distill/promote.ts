import { existsSync, lstatSync, mkdirSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { stringify } from 'yaml';
import type { Asked } from '#contract/methods.ts';
import type { SkillPreview } from '#contract/distill.ts';
import type { Learning } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import { writeFileAtomic } from '../platform/files.ts';
import { readText } from '../platform/read-file.ts';
import { SKILLED_AGENTS, skillFolderOf } from '../platform/skill-folders.ts';
import type { Store } from '../store/learnings/write.ts';
import { isLive } from '../store/learnings/searchable.ts';
import { findLive, getLearning } from '../store/learnings/learnings.ts';
import {
  forgetPromotedSkill,
  listPromotedSkills,
  promotedSkill,
  putPromotedSkill,
  skillRefreshes,
} from '../store/distill/skills.ts';
import { oneLine } from '../text/one-line.ts';
import { sha256 } from '../platform/sha256.ts';
import { isStopWord } from '../text/stop-words.ts';

export interface PromoteParts {
  store: Store;
  /** The home under which the agents keep their folders. */
  home: string;
  /** Claude Code's configured folder, if it is elsewhere. */
  claudeFolder?: string | undefined;
}

export interface Promotion extends Omit<Asked<'skills.promote'>, 'cwd'> {
  /** The root of the project it is for; null for the agent's home. */
  root: string | null;
}

/** The limits of the open format for skills. */
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const LONGEST_NAME = 64;
const LONGEST_SLUG = 60; // room for a number, where the name is taken
const LONGEST_DESCRIPTION = 1_024;

/** Agents that support skills; those whose folder exists come first. */
export function skilledAgents(parts: PromoteParts): Array<{ agent: string; present: boolean }> {
  const agents = SKILLED_AGENTS.map((agent) => ({
    agent,
    present: existsSync(dirname(folderFor(parts, agent, null))),
  }));
  return agents.toSorted((one, other) => Number(other.present) - Number(one.present));
}

/** Returns what would be written and where, without writing it. */
export function previewSkill(parts: PromoteParts, { id, agent, root, name: given }: Promotion): SkillPreview {
  const learning = getLearning(parts.store.db, id);
  const name = given ?? slugOf(learning);
  if (!NAME.test(name) || name.length > LONGEST_NAME)
    throw new DaemonError(
      'bad-input',
      `a skill name has lower-case letters, digits and hyphens, at most ${LONGEST_NAME}, unlike ${JSON.stringify(name)}`,
    );
  const path = join(folderFor(parts, agent, root), name, 'SKILL.md');
  return { name, path, markdown: renderSkill(learning, name), place: placeAt(parts.store, path) };
}

/** Writes the learning as a skill. A file that somebody else wrote, or edited since, is never overwritten. */
export function promote(parts: PromoteParts, promotion: Promotion): SkillPreview {
  const { store } = parts;
  const learning = getLearning(store.db, promotion.id);
  if (!isLive(learning))
    throw new DaemonError(
      'conflict',
      `${learning.id} is ${learning.status}; only a live learning can become a skill`,
    );
  const preview = previewSkill(parts, promotion);
  if (preview.place === 'taken')
    throw new DaemonError('conflict', `${preview.path} already exists and was not written by Reflect`);
  write(parts, preview.path, preview.markdown, learning.id, promotion.agent);
  return { ...preview, place: 'ours' };
}

/** Deletes a promoted skill, if nobody has edited it. */
export function demote({ store: { db } }: PromoteParts, path: string): void {
  const known = promotedSkill(db, path);
  if (!known) throw new DaemonError('not-found', `no skill by Reflect at ${path}`);
  if (existsSync(path)) {
    if (sha256(readText(path)) !== known.hash)
      throw new DaemonError(
        'conflict',
        `${path} was edited since; delete it yourself if you no longer need it`,
      );
    touching(path, () => {
      unlinkSync(path);
      if (readdirSync(dirname(path)).length === 0) rmdirSync(dirname(path));
    });
  }
  forgetPromotedSkill(db, path);
}

/** Updates the skills Reflect wrote; those a person edited stay as they are. Returns the written paths. */
export function refreshPromoted(
  parts: PromoteParts,
  onProblem: (path: string, error: unknown) => void,
): string[] {
  const { db } = parts.store;
  const asked = new Set(skillRefreshes(db).map(({ path }) => path));
  return listPromotedSkills(db)
    .filter(({ path }) => asked.has(path))
    .flatMap(({ path, learningId, agent }) => {
      const learning = findLive(db, learningId);
      const markdown = learning ? renderSkill(learning, basename(dirname(path))) : null;
      if (markdown === null || placeAt(parts.store, path) !== 'ours' || readText(path) === markdown)
        return [];
      try {
        write(parts, path, markdown, learningId, agent);
        db.changes.announce({ type: 'skill.refreshed', path });
        return [path];
      } catch (error) {
        onProblem(path, error);
        return [];
      }
    });
}

function folderFor({ home, claudeFolder }: PromoteParts, agent: string, root: string | null): string {
  const folder =
    agent === 'claude-code' && root === null && claudeFolder
      ? join(claudeFolder, 'skills')
      : skillFolderOf(agent, home, root);
  if (folder === null)
    throw new DaemonError(
      'bad-input',
      `${agent} does not support skills; these do: ${SKILLED_AGENTS.join(', ')}`,
    );
  return folder;
}

function placeAt({ db }: Store, path: string): SkillPreview['place'] {
  // A link counts as a file, because its target is somebody else's.
  if (!touching(path, () => lstatSync(path, { throwIfNoEntry: false }))) return 'free';
  const known = promotedSkill(db, path);
  return known && touching(path, () => sha256(readText(path))) === known.hash ? 'ours' : 'taken';
}

function write(
  { store: { db, now } }: PromoteParts,
  path: string,
  markdown: string,
  learningId: string,
  agent: string,
): void {
  touching(path, () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileAtomic(path, markdown, 0o644);
  });
  putPromotedSkill(db, { path, learningId, agent, hash: sha256(markdown), at: now() });
}

function touching<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new DaemonError('read-only', `${path}: ${(error as Error).message}`);
  }
}

/** The title as a name, cut between two words. */
function slugOf({ title }: Learning): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  let slug = '';
  for (const word of words) {
    const longer = slug === '' ? word : `${slug}-${word}`;
    if (longer.length > LONGEST_SLUG) break;
    slug = longer;
  }
  // "…-until-the-bank-cut-over-is" ends in the middle of something.
  const whole = words.join('-');
  while (slug !== whole && isStopWord(slug.slice(slug.lastIndexOf('-') + 1)))
    slug = slug.slice(0, slug.lastIndexOf('-'));
  return slug || words[0]?.slice(0, LONGEST_SLUG) || 'learning';
}

/** The rule, why it is one, and how to follow it. */
function renderSkill(learning: Learning, name: string): string {
  const {
    id,
    title,
    rule,
    category,
    tags,
    problem,
    rootCause,
    keyMistake,
    keyInsight,
    fix,
    correctAction,
    guidance,
    body,
  } = learning;
  const description = oneLine(
    [title, rule].filter((part, index, all) => part !== '' && all.indexOf(part) === index).join('. '),
  ).slice(0, LONGEST_DESCRIPTION);
  const front = stringify(
    { name, description, ...(tags.length > 0 ? { tags } : { tags: [category] }) },
    { lineWidth: 0 },
  );
  const why = distinct([problem, rootCause, keyMistake, keyInsight]);
  const how = distinct([fix, correctAction, guidance]);
  const sections = [
    `# ${oneLine(title)}`,
    rule && rule !== title ? rule : '',
    why.length > 0 ? `## Why\n\n${why.join('\n\n')}` : '',
    how.length > 0 ? `## How\n\n${how.join('\n\n')}` : '',
    body && `## Background\n\n${body}`,
    `<!-- Written by Reflect from ${id}. -->`,
  ];
  return `---\n${front}---\n\n${sections.filter(Boolean).join('\n\n')}\n`;
}

const distinct = (parts: string[]) => [...new Set(parts.map((part) => part.trim()).filter(Boolean))];
