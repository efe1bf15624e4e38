import type { Call, Output } from '#contract/methods.ts';
import { afterQuiet } from '../ui/delay.ts';
import { Resource } from '../ui/resource.svelte.ts';
import { labColumns, orderOf } from './columns.ts';

/** One question, asked again whenever it or its scope changes, with every step of its answer. */
export class LabState {
  readonly #call: Call;
  readonly answer = new Resource<Output<'recall.explain'>>();
  readonly projects = new Resource<Output<'projects.list'>>();
  query = $state('');
  everywhere = $state(true);
  allBranches = $state(false);
  project = $state('');
  readonly #askSoon = afterQuiet(220, () => void this.ask());

  constructor(call: Call) {
    this.#call = call;
  }

  readonly columns = $derived(labColumns(this.answer.value?.trace ?? []));
  readonly hitOrder = $derived(orderOf(this.answer.value?.hits ?? []));

  loadProjects(): Promise<void> {
    return this.projects.load(() => this.#call('projects.list', {}));
  }

  type(query: string): void {
    this.query = query;
    this.#askSoon();
  }

  async ask(): Promise<void> {
    const query = this.query.trim();
    if (query === '') {
      this.answer.clear();
      return;
    }
    const { everywhere, allBranches, project } = this;
    await this.answer.load(() =>
      this.#call('recall.explain', { query, global: everywhere, allBranches, ...(project === '' || everywhere ? {} : { project }) }),
    );
  }
}
