import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Skill } from '#contract/skills.ts';
import { BackgroundTask } from '../../platform/background-task.ts';
import type { Log } from '../../platform/log.ts';
import type { WritableDb } from '../../store/db.ts';
import { contentWords } from '../../text/tokenise.ts';
import {
  deleteSkills,
  type IndexedSkill,
  putSkill,
  skillsIn,
  promotedSkill,
} from '../../store/distill/skills.ts';
import { skillCard } from './skill-card.ts';
import {
  readSkillFile,
  type SkillFile,
  skillFilesIn,
  skillFilesInHome,
  skillFilesInProject,
} from '../../platform/skill-folders.ts';

export interface SkillHit {
  skill: Skill;
  score: number;
}

export interface Refreshed {
  found: number;
  /** Files that were new or had changed. */
  read: number;
  removed: number;
}

export interface SkillsOptions {
  db: WritableDb;
  /** The home under which the agents keep their folders. */
  home: string;
  /** Claude Code's own folder, where it is configured to be elsewhere. */
  claudeFolder?: string | undefined;
  now: () => number;
  log: Log;
}

const HOME = '';
const FRESH_FOR = 300_000; // ms; a skill installed in between is seen by the next session
const IN_TITLE = 2;
const IN_SUMMARY = 1;

/** The installed skills of every agent, kept in the database so that no question reads files (R20). */
export class SkillsIndex {
  readonly #options: SkillsOptions;
  /** When each root was last scanned. A restart scans them all, so this need not survive it. */
  readonly #lookedAt = new Map<string, number>();

  readonly #outdated = new Set<string>();
  readonly #task: BackgroundTask;

  constructor(options: SkillsOptions) {
    this.#options = options;
    this.#task = new BackgroundTask({
      work: () => this.#scanOutdated(),
      onError: (error) => options.log.error('reading the installed skills', error),
    });
  }

  stop(): Promise<void> {
    return this.#task.stop();
  }

  /** Scans the agents' home and these projects. Reads only changed files and drops deleted ones. */
  refresh(projectRoots: readonly string[]): Refreshed {
    const total = { found: 0, read: 0, removed: 0 };
    for (const root of new Set([HOME, ...projectRoots])) {
      const { found, read, removed } = this.#scan(root);
      total.found += found;
      total.read += read;
      total.removed += removed;
    }
    return total;
  }

  list(root: string | null): Skill[] {
    return skillsIn(this.#options.db, root === null ? null : [HOME, root]).map(toSkill);
  }

  /** The skills of a project and of the home that share words with the query, best first. */
  find(query: string, root: string | null, limit: number): SkillHit[] {
    this.#lookAgain(root);
    const asked = contentWords(query);
    const hits = skillsIn(this.#options.db, [HOME, ...(root ? [root] : [])])
      .filter(({ stale }) => !stale)
      .map((skill) => ({ skill, score: scoreOf(asked, skill) }))
      .filter(({ score }) => score > 0)
      // Between equals a project's own skill is the closer one.
      .toSorted(
        (a, b) =>
          b.score - a.score ||
          Number(b.skill.root !== HOME) - Number(a.skill.root !== HOME) ||
          a.skill.name.localeCompare(b.skill.name),
      );
    return this.#stillThere(distinct(hits), limit).map(({ skill, score }) => ({
      skill: toSkill(skill),
      score,
    }));
  }

  /** Scans a new project now, and one scanned a while ago after the question is answered. */
  #lookAgain(root: string | null): void {
    if (root !== null && !this.#lookedAt.has(root)) this.#scan(root);
    for (const known of [HOME, ...(root ? [root] : [])]) {
      if (this.#options.now() - (this.#lookedAt.get(known) ?? 0) < FRESH_FOR) continue;
      this.#lookedAt.set(known, this.#options.now());
      this.#outdated.add(known);
      this.#task.wake();
    }
  }

  #scanOutdated(): void {
    for (const root of this.#outdated) {
      this.#outdated.delete(root);
      this.#scan(root);
    }
  }

  #scan(root: string): Refreshed {
    const { db, now } = this.#options;
    this.#lookedAt.set(root, now());
    const files = new Map(this.#filesIn(root).map((file) => [file.path, file]));
    const known = new Map(skillsIn(db, [root]).map((skill) => [skill.path, skill]));
    const changed = [...files.values()].filter(({ path, mtimeMs }) => known.get(path)?.mtimeMs !== mtimeMs);
    const gone = [...known.keys()].filter((path) => !files.has(path));
    if (changed.length + gone.length > 0) {
      db.transaction(() => {
        for (const { path, agent, mtimeMs } of changed) {
          const markdown = readSkillFile(path);
          if (markdown === null) continue;
          putSkill(db, { ...skillCard(path, markdown), path, agent, root, mtimeMs, refreshedAt: now() });
          // One that Reflect rewrote itself was announced when it was written.
          if (known.has(path) && promotedSkill(db, path)?.hash !== hashOf(markdown))
            db.changes.announce({ type: 'skill.refreshed', path });
        }
        deleteSkills(db, gone);
      })();
    }
    return { found: files.size, read: changed.length, removed: gone.length };
  }

  #filesIn(root: string): SkillFile[] {
    const { home, claudeFolder } = this.#options;
    if (root !== HOME) return skillFilesInProject(root);
    return [
      ...skillFilesInHome(home),
      ...(claudeFolder ? skillFilesIn(`${claudeFolder}/skills`, 'claude-code') : []),
    ];
  }

  /** Only skills whose file still exists: an agent sent to a missing file would search for it. */
  #stillThere<T extends { skill: Skill }>(hits: T[], limit: number): T[] {
    const there: T[] = [];
    for (const hit of hits) {
      if (there.length === limit) break;
      if (existsSync(hit.skill.path)) there.push(hit);
      else deleteSkills(this.#options.db, [hit.skill.path]);
    }
    return there;
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

function scoreOf(asked: string[], { name, tags, summary }: Skill): number {
  const title = new Set(contentWords([name, ...tags].join(' ')));
  const rest = new Set(contentWords(summary));
  return asked.reduce(
    (sum, word) => sum + (title.has(word) ? IN_TITLE : 0) + (rest.has(word) ? IN_SUMMARY : 0),
    0,
  );
}

/** One skill is often linked into the folders of several agents; only its best-ranked copy is kept. */
function distinct(hits: Array<{ skill: IndexedSkill; score: number }>): typeof hits {
  const seen = new Set<string>();
  return hits.filter(({ skill: { name, summary } }) => {
    const key = `${name}\n${summary}`;
    return !seen.has(key) && seen.add(key);
  });
}

const toSkill = ({ mtimeMs: _, ...skill }: IndexedSkill): Skill => skill;
