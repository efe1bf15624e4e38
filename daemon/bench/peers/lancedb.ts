import { byReciprocalRank, load, type Peer, plainWords } from './peer.ts';

interface Query {
  distanceType(type: string): Query;
  fullTextSearch(text: string, options: object): Query;
  select(columns: string[]): Query;
  limit(count: number): Query;
  toArray(): Promise<Array<{ id: string }>>;
}
interface Table {
  createIndex(column: string, options: object): Promise<void>;
  search(vector: number[]): Query;
  query(): Query;
}
interface Lance {
  connect(folder: string): Promise<{
    createTable(name: string, rows: object[]): Promise<Table>;
    close(): void;
  }>;
  Index: { fts(options: object): object; hnswSq(options: object): object };
}

const DEPTH = 50;
const INDEXED_FROM = 5_000; // with fewer, its documentation advises against an index

export const lanceDb: Peer = {
  name: 'LanceDB, hybrid with HNSW',
  packages: { '@lancedb/lancedb': '0.37.1', 'apache-arrow': '18.1.0' },
  byMeaning: true,
  async open(modules, folder, documents) {
    const { connect, Index } = load<Lance>(modules, '@lancedb/lancedb');
    const db = await connect(folder);
    const table = await db.createTable(
      'documents',
      documents.map(({ id, text, vector }) => ({ id, text, vector: [...vector] })),
    );
    await table.createIndex('text', { config: Index.fts({ stem: true, baseTokenizer: 'simple' }) });
    if (documents.length >= INDEXED_FROM)
      await table.createIndex('vector', { config: Index.hnswSq({ distanceType: 'cosine' }) });
    return {
      async search(text, vector, limit) {
        const byMeaning = table
          .search([...vector])
          .distanceType('cosine')
          .select(['id', '_distance'])
          .limit(DEPTH);
        const byWords = table
          .query()
          .fullTextSearch(plainWords(text).join(' '), { columns: ['text'] })
          .select(['id', '_score'])
          .limit(DEPTH);
        const lists = await Promise.all([byMeaning.toArray(), byWords.toArray()]);
        return byReciprocalRank(
          lists.map((rows) => rows.map(({ id }) => id)),
          limit,
        );
      },
      close: () => db.close(),
    };
  },
};
