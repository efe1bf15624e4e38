import { load, type Peer } from './peer.ts';

interface Orama {
  create(options: object): object;
  insertMultiple(db: object, documents: object[], batch: number): Promise<unknown>;
  search(db: object, query: object): Promise<{ hits: Array<{ id: string }> }>;
}

export const orama: Peer = {
  name: 'Orama, hybrid',
  packages: { '@orama/orama': '3.1.18' },
  byMeaning: true,
  async open(modules, _folder, documents) {
    const { create, insertMultiple, search } = load<Orama>(modules, '@orama/orama');
    const db = create({
      schema: { text: 'string', embedding: `vector[${documents[0]?.vector.length ?? 0}]` },
    });
    await insertMultiple(
      db,
      documents.map(({ id, text, vector }) => ({ id, text, embedding: [...vector] })),
      500,
    );
    return {
      async search(text, vector, limit) {
        const { hits } = await search(db, {
          mode: 'hybrid',
          term: text,
          properties: ['text'],
          vector: { value: [...vector], property: 'embedding' },
          similarity: 0,
          limit,
        });
        return hits.map(({ id }) => id);
      },
      close() {},
    };
  },
};
