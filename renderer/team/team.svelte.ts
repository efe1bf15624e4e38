import * as z from 'zod';
import type { ArchiveProgress, Exported, Imported, ImportMode, Inspected } from '#contract/archive.ts';
import { DaemonError } from '#contract/errors.ts';
import type { ImportPreview, ImportResult } from '#contract/imports.ts';
import type { Queries, Resource, Scope } from '../query/queries.svelte.ts';
import { asError } from '../ui/error.ts';
import { remember, remembered } from '../ui/remember.ts';
import { SpacesState } from './spaces.svelte.ts';

export const TABS = ['export', 'import'] as const;
export type Tab = (typeof TABS)[number];

const QUIET_MS = 400;

/** Beside the home of Reflect, where people look for their files, named by the day. */
export function suggestedPath(home: string, now: Date): string {
  const separator = home.includes('\\') ? '\\' : '/';
  const folder = home.split(separator).slice(0, -1).join(separator);
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  return `${folder}${separator}reflect-${day}.tar`;
}

/** The knowledge base as one file: looked at before it leaves, and before it is taken in. */
export class TeamState {
  readonly #scope: Scope;
  readonly preview: Resource<'archive.preview'>;
  readonly spaces: SpacesState;
  tab = $state<Tab>('export');
  exportPath = $state(remembered('team.export', z.string(), ''));
  /** The person says that they made the export, so that it is taken as it is. */
  isMine = $state(false);
  sign = $state(false);
  importPath = $state(remembered('team.import', z.string(), ''));
  exported = $state.raw<Exported | null>(null);
  inspected = $state.raw<Inspected | null>(null);
  imported = $state.raw<Imported | null>(null);
  /** Notes of another program, previewed and then imported. */
  foreign = $state.raw<ImportPreview | null>(null);
  moved = $state.raw<ImportResult | null>(null);
  /** The project for notes that name none; empty for that of their folder. */
  foreignProject = $state('');
  readonly projects: Resource<'projects.list'>;
  exportError = $state.raw<Error | null>(null);
  importError = $state.raw<Error | null>(null);
  job = $state<ArchiveProgress['job'] | null>(null);
  progress = $state.raw<ArchiveProgress | null>(null);
  /** Chosen in the system's dialog, which has asked before it names a file that is there. */
  #agreedPath: string | null = null;

  constructor(queries: Queries) {
    this.spaces = new SpacesState(queries);
    this.#scope = queries.scope('team', QUIET_MS);
    this.preview = this.#scope.resource('archive.preview');
    this.projects = this.#scope.resource('projects.list');
    this.#scope.onEvent((event) => {
      if (event.type === 'archive.progress' && event.progress.job === this.job)
        this.progress = event.progress;
    });
  }

  load(): Promise<void> {
    return this.preview.ask({});
  }

  get canReplace(): boolean {
    return (
      this.exportError instanceof DaemonError &&
      this.exportError.code === 'conflict' &&
      /(is there already|already exists)$/.test(this.exportError.detail ?? '')
    );
  }

  /** A mode that the daemon would refuse is not offered. */
  get modes(): ImportMode[] {
    return this.inspected?.targetEmpty ? ['restore'] : ['merge', 'force'];
  }

  typeExportPath(path: string): void {
    this.exportPath = path;
    remember('team.export', path);
    this.exportError = this.exported = null;
  }

  chooseExportPath(path: string): void {
    this.typeExportPath(path);
    this.#agreedPath = path;
  }

  /** A preview of another file says nothing about this one. */
  typeImportPath(path: string): void {
    this.importPath = path;
    remember('team.import', path);
    this.isMine = false;
    this.foreignProject = '';
    this.importError = this.inspected = this.imported = this.foreign = this.moved = null;
  }

  async export(replace = this.exportPath === this.#agreedPath): Promise<void> {
    this.exported = this.exportError = this.#agreedPath = null;
    try {
      this.exported = await this.#working('export', () =>
        this.#scope.call('archive.export', { path: this.exportPath.trim(), replace, sign: this.sign }),
      );
      remember('team.export', ''); // the next one is named by its own day
    } catch (error) {
      this.exportError = asError(error);
    }
  }

  async inspect(): Promise<void> {
    this.typeImportPath(this.importPath.trim());
    await this.#inspecting(() => this.#look(this.importPath));
  }

  /** The preview depends on it: a note may be known in that project. */
  async chooseProject(project: string): Promise<void> {
    this.foreignProject = project;
    await this.#inspecting(() => this.#lookAtForeign(this.importPath));
  }

  async #inspecting(look: () => Promise<void>): Promise<void> {
    this.importError = null;
    try {
      await this.#working('inspect', look);
    } catch (error) {
      this.importError = asError(error);
    }
  }

  /** An export is compared as a whole; of another program each note is. */
  async #look(path: string): Promise<void> {
    const { kind } = await this.#scope.call('imports.detect', { path });
    if (kind === 'reflect-archive') this.inspected = await this.#scope.call('archive.inspect', { path });
    else await Promise.all([this.#lookAtForeign(path), this.projects.ask({})]);
  }

  async #lookAtForeign(path: string): Promise<void> {
    this.foreign = await this.#scope.call('imports.preview', { path, ...this.#intoProject() });
  }

  #intoProject(): { project?: string } {
    return this.foreignProject === '' ? {} : { project: this.foreignProject };
  }

  /** Imports the notes that were previewed; they wait in the Inbox unless the person keeps them. */
  async moveIn(keep: boolean): Promise<void> {
    const { foreign } = this;
    if (!foreign) return;
    this.importError = null;
    try {
      this.moved = await this.#working('import', () =>
        this.#scope.call('imports.run', { path: foreign.path, keep, ...this.#intoProject() }),
      );
      this.foreign = null;
      await this.preview.refetch();
    } catch (error) {
      this.importError = asError(error);
    }
  }

  async undoMove(): Promise<void> {
    const changeId = this.moved?.changeId;
    if (changeId === null || changeId === undefined) return;
    try {
      await this.#scope.call('changes.undo', { changeId });
      this.moved = null;
    } catch (error) {
      this.importError = asError(error);
    }
  }

  async import(mode: ImportMode): Promise<void> {
    const { inspected } = this;
    if (!inspected) return;
    this.importError = null;
    try {
      this.imported = await this.#working('import', () =>
        this.#scope.call('archive.import', { path: inspected.path, mode, mine: this.isMine }),
      );
      this.inspected = null;
      await this.preview.refetch();
    } catch (error) {
      this.importError = asError(error);
    }
  }

  async #working<T>(job: ArchiveProgress['job'], work: () => Promise<T>): Promise<T> {
    this.job = job;
    this.progress = null;
    try {
      return await work();
    } finally {
      this.job = this.progress = null;
    }
  }
}
