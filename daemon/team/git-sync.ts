import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { DaemonError } from '#contract/errors.ts';
import type { GitExported, GitSynced } from '#contract/team.ts';
import { writeFileAtomic } from '../platform/files.ts';
import { projectFolder } from '../store/learnings/document-path.ts';
import { findLearning, noteOf } from '../store/learnings/learnings.ts';
import { latestForm, openQuestionAmong, openQuestions } from '../store/learnings/questions.ts';
import { isLive } from '../store/learnings/searchable.ts';
import { asOneUnit, type Store } from '../store/learnings/write.ts';
import {
  addSpace,
  findSpace,
  findTeamNote,
  putTeamNote,
  listRefusals,
  teamNotes,
  teamNoteOf,
  type TeamNote,
} from '../store/team.ts';
import { applyHead } from './apply.ts';
import type { Head } from './server/log.ts';
import { gitFailed, GitRepository, NOTES } from './git-repository.ts';
import { noteIn, textOf } from './note-file.ts';
import { ARCHIVED, hashOf } from './shared-note.ts';

interface GitParts {
  store: Store;
  signal: AbortSignal;
}

const ATTEMPTS = 5; // somebody else may push between our merge and our push

/**
 * Notes as files of a repository, for a team without a server. A note goes out when it is exported; edits of it follow.
 */
export class GitFolder {
  readonly #parts: GitParts;
  readonly #repository: GitRepository;
  readonly space: string;

  constructor(parts: GitParts, root: string) {
    if (!isAbsolute(root)) throw new DaemonError('bad-input', `“${root}” is not an absolute path.`);
    this.#parts = parts;
    this.#repository = new GitRepository(root, parts.signal);
    this.space = `git-${basename(root)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replace(/-$/, '')}`.slice(0, 40);
  }

  /** Writes these notes and commits them; pushing is left to `sync`. */
  async export(ids: readonly string[]): Promise<GitExported> {
    const { store } = this.#parts;
    mkdirSync(this.#repository.root, { recursive: true });
    if (!(await this.#repository.isRepository())) await this.#repository.must('init', '--quiet');
    this.#enter();
    const notes = ids.flatMap((id) => findLearning(store.db, id) ?? []);
    const going = notes.filter(
      (note) => isLive(note) && note.project !== '' && note.metadata.colleague === undefined,
    );
    for (const learning of going) {
      if (teamNoteOf(store.db, this.space, learning.id)) continue;
      this.#remember({
        noteId: learning.id,
        localId: learning.id,
        rev: '',
        author: '',
        role: 'own',
        hash: '',
      });
    }
    return {
      space: this.space,
      folder: this.#repository.root,
      written: await this.#writeOwn(),
      stayed: notes.length - going.length,
    };
  }

  /** Writes what changed here, merges what others pushed, and pushes. */
  async sync(): Promise<GitSynced> {
    if (!existsSync(this.#repository.root) || !(await this.#repository.isRepository()))
      throw new DaemonError(
        'not-found',
        `“${this.#repository.root}” is not a git repository; \`reflect export --git\` makes one.`,
      );
    this.#enter();
    const asked = openQuestions(this.#parts.store.db).length;
    let written = await this.#writeOwn();
    const hasRemote = (await this.#repository.must('remote')).trim() !== '';
    let received = 0;
    for (let attempt = 1; ; attempt++) {
      received += await this.#merge(hasRemote);
      if (!hasRemote || !(await this.#repository.isBorn())) break;
      written = await this.#repository.ahead();
      const { code, stderr } = await this.#repository.git(
        'push',
        '--quiet',
        '--set-upstream',
        'origin',
        'HEAD',
      );
      if (code === 0) break;
      if (attempt >= ATTEMPTS || !/rejected|fetch first|non-fast-forward/.test(stderr))
        throw gitFailed('push', stderr);
    }
    const questions = openQuestions(this.#parts.store.db).length - asked;
    return {
      space: this.space,
      folder: this.#repository.root,
      written,
      received,
      questions,
      refused: await this.#refused(),
      pushed: hasRemote,
    };
  }

  async #refused(): Promise<GitSynced['refused']> {
    const why = new Map(
      listRefusals(this.#parts.store.db, this.space).map((refusal) => [refusal.noteId, refusal.why]),
    );
    return (await this.#repository.files()).flatMap(({ path }) => {
      const reason = why.get(idOf(path));
      return reason === undefined ? [] : [{ file: path, why: reason }];
    });
  }

  #enter(): void {
    const { store } = this.#parts;
    const known = findSpace(store.db, this.space);
    if (known && known.url !== `git:${this.#repository.root}`)
      throw new DaemonError(
        'conflict',
        `Another folder named ${basename(this.#repository.root)} is in use: ${known.url.slice(4)}.`,
      );
    if (!known)
      addSpace(store.db, {
        name: this.space,
        url: `git:${this.#repository.root}`,
        everything: true,
        joinedAt: store.now(),
      });
  }

  /** A note with an open question stays as the others have it until a person has decided. */
  async #writeOwn(): Promise<number> {
    const { store } = this.#parts;
    const notes = [...teamNotes(store.db, this.space, 'own'), ...teamNotes(store.db, this.space, 'copy')];
    const paths = new Map((await this.#repository.files()).map(({ path }) => [idOf(path), path]));
    for (const known of notes) {
      const learning = findLearning(store.db, latestForm(store.db, known.localId));
      if (!learning || openQuestionAmong(store.db, learning.id)) continue;
      const state = isLive(learning) ? hashOf(noteOf(learning)) : ARCHIVED;
      if (state === known.hash) continue;
      const path =
        paths.get(known.noteId) ?? `${NOTES}/${projectFolder(learning.project)}/${known.noteId}.md`;
      if (state === ARCHIVED) rmSync(join(this.#repository.root, path), { force: true });
      else this.#write(path, textOf(known.noteId, learning));
      this.#remember({ ...known, localId: learning.id, hash: state });
    }
    if (await this.#hasNotes()) await this.#repository.must('add', '--all', '--', NOTES);
    const changed = (await this.#repository.must('diff', '--cached', '--name-only'))
      .split('\n')
      .filter(Boolean).length;
    if (changed > 0)
      await this.#repository.must('commit', '--quiet', '--message', `Notes: ${changed} changed`);
    await this.#settle();
    return changed;
  }

  async #hasNotes(): Promise<boolean> {
    const { code, stdout } = await this.#repository.git(
      'status',
      '--porcelain',
      '--untracked-files=all',
      '--',
      NOTES,
    );
    return code === 0 && stdout !== '';
  }

  #write(path: string, text: string): void {
    mkdirSync(dirname(join(this.#repository.root, path)), { recursive: true });
    writeFileAtomic(join(this.#repository.root, path), text);
  }

  /** Remembers which version of each own file is committed, so that it is not taken for a colleague's. */
  async #settle(): Promise<void> {
    const { store } = this.#parts;
    for (const { path, blob } of await this.#repository.files()) {
      const known = findTeamNote(store.db, this.space, idOf(path));
      const here = known && findLearning(store.db, latestForm(store.db, known.localId));
      if (known && here && hashOf(noteOf(here)) === known.hash && known.rev !== blob)
        this.#remember({ ...known, rev: blob });
    }
  }

  /** Where both changed one note in the same place, theirs stays in the file and ours becomes a question. */
  async #merge(hasRemote: boolean): Promise<number> {
    if (hasRemote) {
      await this.#repository.must('fetch', '--quiet', 'origin');
      const upstream = await this.#repository.upstream();
      if (upstream) {
        if (!(await this.#repository.isBorn()))
          await this.#repository.must('reset', '--quiet', '--hard', upstream);
        else await this.#mergeWith(upstream);
      }
    }
    return this.#ingest();
  }

  async #mergeWith(upstream: string): Promise<void> {
    const { store } = this.#parts;
    const merged = await this.#repository.git(
      'merge',
      '--quiet',
      '--no-edit',
      '--allow-unrelated-histories',
      upstream,
    );
    if (merged.code === 0) return;
    const unmerged = (await this.#repository.must('diff', '--name-only', '--diff-filter=U', '-z'))
      .split('\0')
      .filter(Boolean);
    if (unmerged.length === 0) throw gitFailed('merge', merged.stderr);
    for (const path of unmerged) {
      const isThere = (await this.#repository.git('checkout', '--quiet', '--theirs', '--', path)).code === 0;
      await this.#repository.must(...(isThere ? ['add', '--', path] : ['rm', '--quiet', '--', path]));
      const known = findTeamNote(store.db, this.space, idOf(path));
      if (known) this.#remember({ ...known, hash: '' }); // as edited here: applying theirs asks
    }
    await this.#repository.must('commit', '--quiet', '--no-edit');
  }

  /** Applies every file whose content is not the one last seen, and archives notes whose files others deleted. */
  async #ingest(): Promise<number> {
    const { store } = this.#parts;
    const files = await this.#repository.files();
    const changed = files.filter(
      ({ path, blob }) => findTeamNote(store.db, this.space, idOf(path))?.rev !== blob,
    );
    const heads: Head[] = [];
    for (const { path, blob } of changed) {
      const known = findTeamNote(store.db, this.space, idOf(path));
      if (known) this.#remember(known); // commits carry the clocks of many machines: the file counts, not its date
      heads.push(await this.#head(path, blob));
    }
    const there = new Set(files.map(({ path }) => idOf(path)));
    const deleted = teamNotes(store.db, this.space, 'copy').filter(
      ({ noteId, hash }) => !there.has(noteId) && hash !== ARCHIVED,
    );
    const archived = deleted.map(({ noteId, author }) => ({
      ...NO_HEAD,
      noteId,
      author,
      rev: 'deleted',
      kind: 'archive' as const,
    }));
    asOneUnit(store, () => {
      for (const head of [...heads, ...archived])
        applyHead({ store, space: this.space, login: '', models: [] }, head);
    });
    return heads.length + archived.length;
  }

  async #head(path: string, blob: string): Promise<Head> {
    const markdown = await this.#repository.must('cat-file', 'blob', blob);
    const last = await this.#repository.must('log', '-1', '--format=%ct %an', '--', path);
    const [, seconds = '0', author = 'somebody'] = /^(\d+) (.+)/.exec(last) ?? [];
    const at = Number(seconds) * 1_000;
    return { ...NO_HEAD, rev: blob, noteId: idOf(path), author, at, note: noteIn(markdown) };
  }

  #remember(note: Omit<TeamNote, 'space' | 'at'>): void {
    putTeamNote(this.#parts.store.db, { ...note, space: this.space, at: 0 });
  }
}

const NO_HEAD: Head = {
  seq: 0,
  rev: '',
  noteId: '',
  kind: 'update',
  author: '',
  at: 0,
  project: '',
  everywhere: false,
  note: null,
  vectors: null,
};

const idOf = (path: string): string => basename(path, '.md');
