import type { Queries, Resource } from '../query/queries.svelte.ts';

/** The data of Settings › Status beside the daemon's status. */
export class HealthState {
  readonly writers: Resource<'writers.status'>;
  readonly gaps: Resource<'gaps.list'>;
  readonly sizes: Resource<'store.sizes'>;
  readonly backups: Resource<'backups.list'>;

  constructor(queries: Queries) {
    const scope = queries.scope('settings');
    this.writers = scope.resource('writers.status');
    this.gaps = scope.resource('gaps.list');
    this.sizes = scope.resource('store.sizes');
    this.backups = scope.resource('backups.list');
  }

  /** The whole database file is read for it, so once for each visit. */
  async loadSizes(): Promise<void> {
    await this.sizes.ask({});
  }

  async loadBackups(): Promise<void> {
    await this.backups.ask({});
  }

  async refresh(): Promise<void> {
    await Promise.all([this.writers.ask({}), this.gaps.ask({})]);
  }
}
