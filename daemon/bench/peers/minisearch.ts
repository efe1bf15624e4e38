import { load, type Peer } from './peer.ts';

interface MiniSearch {
  addAll(documents: object[]): void;
  search(text: string): Array<{ id: string }>;
}

export const miniSearch: Peer = {
  name: 'MiniSearch, words only',
  packages: { minisearch: '7.2.0' },
  byMeaning: false,
  async open(modules, _folder, documents) {
    const Index = load<new (options: object) => MiniSearch>(modules, 'minisearch');
    const index = new Index({ fields: ['text'] });
    index.addAll(documents.map(({ id, text }) => ({ id, text })));
    return {
      search: (text, _vector, limit) =>
        index
          .search(text)
          .slice(0, limit)
          .map(({ id }) => id),
      close() {},
    };
  },
};
