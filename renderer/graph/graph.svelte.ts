import * as z from 'zod';
import type { Entity, Relation } from '#contract/entities.ts';
import type { GraphEdge, GraphNode, GraphView } from '#contract/graph.ts';
import type { Queries, Resource } from '../query/queries.svelte.ts';
import { remember, remembered } from '../ui/remember.ts';
import { linksOf, neighboursOf, placesBy } from './places.ts';
import { radiusOf } from './view.ts';

export const LIMITS = [500, 1_000, 2_000, 5_000] as const;
const QUIET_MS = 1_000; // every refresh lays the graph out again
const EMPTY: GraphView = { nodes: [], edges: [], total: 0, onlyNewest: false };

export interface Filters {
  project: string;
  entityType: Entity['type'] | '';
  relation: Relation['type'] | '';
  limit: number;
}

/** An edge by the places of its ends in the list of nodes. */
export type PlacedEdge = GraphEdge & { from: number; to: number };

export const isValidAt = (
  { validFrom, validTo }: Pick<GraphEdge, 'validFrom' | 'validTo'>,
  at: number,
): boolean => validFrom <= at && (validTo === null || validTo >= at);

const matches = ({ name, description }: GraphNode, text: string) =>
  `${name} ${description}`.toLowerCase().includes(text);

/** The entities that notes name and their relations: loaded by filter, narrowed on screen by time and words. */
export class GraphState {
  readonly #now: () => number;
  readonly view: Resource<'graph.read'>;
  readonly detail: Resource<'graph.entity'>;
  readonly projects: Resource<'projects.list'>;
  filters = $state.raw<Filters>({ project: '', entityType: '', relation: '', limit: 1_000 });
  text = $state('');
  /** The moment looked at; null is now. */
  at = $state<number | null>(null);
  /** The name under the keyboard. */
  focusedName = $state<string | null>(null);
  opened = $state(false);
  asTable = $state(remembered('graph.table', z.boolean(), false));
  /** Node positions from the last layout step; read on every frame, so not reactive. */
  positions: Float32Array = new Float32Array();

  constructor(queries: Queries, now: () => number = Date.now) {
    this.#now = now;
    const scope = queries.scope('graph', QUIET_MS);
    this.view = scope.resource('graph.read');
    this.detail = scope.resource('graph.entity');
    this.projects = scope.resource('projects.list');
  }

  readonly #shown = $derived.by(() => this.view.value ?? EMPTY);
  readonly nodes = $derived(this.#shown.nodes);
  readonly #placeOfId = $derived(placesBy(this.nodes, ({ id }) => id));
  readonly #placeOfName = $derived(placesBy(this.nodes, ({ name }) => name));
  readonly edges = $derived(
    this.#shown.edges.map((edge): PlacedEdge => ({
      ...edge,
      from: this.#placeOfId.get(edge.source) ?? 0,
      to: this.#placeOfId.get(edge.target) ?? 0,
    })),
  );
  /** Names and ties. While it stays, the layout does too: notes change more often than what they name. */
  readonly shape = $derived(
    [...this.nodes.map(({ name }) => name), linksOf(this.edges).join(' ')].join('\n'),
  );
  readonly radii = $derived(Float32Array.from(this.nodes, ({ degree }) => radiusOf(degree)));

  /** The time there is to look at: from when the first of it was true until now. */
  readonly span = $derived.by(() => {
    const now = this.#now();
    return { from: Math.min(now, ...this.nodes.map(({ since }) => since)), to: now };
  });
  readonly moment = $derived(this.at ?? this.span.to);
  readonly edgesNow = $derived(this.edges.filter((edge) => isValidAt(edge, this.moment)));
  /** The nodes known at that time. */
  readonly visible = $derived(Uint8Array.from(this.nodes, ({ since }) => (since <= this.moment ? 1 : 0)));
  readonly visibleCount = $derived(this.visible.reduce((sum, one) => sum + one, 0));
  readonly neighbours = $derived(neighboursOf(this.edgesNow));
  /** Nodes that match the search; null without a search. */
  readonly matched = $derived.by(() => {
    const text = this.text.trim().toLowerCase();
    return text === ''
      ? null
      : Uint8Array.from(this.nodes, (node, place) => (this.visible[place] && matches(node, text) ? 1 : 0));
  });
  /** The rows of the table: what is visible and named, with how many edges it has at this moment. */
  readonly rows = $derived(
    this.nodes.flatMap((node, place) =>
      this.visible[place] && (this.matched?.[place] ?? 1)
        ? [{ ...node, place, neighbours: this.neighbours.get(place)?.size ?? 0 }]
        : [],
    ),
  );
  readonly focused = $derived(
    this.focusedName === null ? -1 : (this.#placeOfName.get(this.focusedName) ?? -1),
  );

  loadProjects(): Promise<void> {
    return this.projects.ask({});
  }

  async load(): Promise<void> {
    const { project, entityType, relation, limit } = this.filters;
    await this.view.ask({
      limit,
      ...(project && { project }),
      ...(entityType && { entityType }),
      ...(relation && { relation }),
    });
  }

  filter(change: Partial<Filters>): Promise<void> {
    this.filters = { ...this.filters, ...change };
    return this.load();
  }

  get isFiltered(): boolean {
    return this.filters.project !== '' || this.filters.entityType !== '' || this.filters.relation !== '';
  }

  focus(place: number): void {
    const node = this.nodes[place];
    if (!node) return;
    this.focusedName = node.name;
    if (this.opened) void this.#loadDetail();
  }

  open(place: number): void {
    this.opened = true;
    this.focus(place);
  }

  /** Opens a name that a link or an edge leads to; it may be beyond what is drawn. */
  openName(name: string): void {
    this.focusedName = name;
    this.opened = true;
    void this.#loadDetail();
  }

  close(): void {
    this.opened = false;
    this.detail.clear();
  }

  /** Moves through the table. */
  moveRow(step: number): void {
    const index = this.rows.findIndex(({ place }) => place === this.focused);
    const row = this.rows[index < 0 ? 0 : Math.min(this.rows.length - 1, Math.max(0, index + step))];
    if (row) this.focus(row.place);
  }

  toggleTable(): void {
    this.asTable = !this.asTable;
    remember('graph.table', this.asTable);
  }

  async #loadDetail(): Promise<void> {
    const name = this.focusedName;
    if (name !== null) await this.detail.ask({ name });
  }
}
