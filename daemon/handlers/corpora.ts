import type { Handlers } from '#contract/methods.ts';
import {
  buildCorpus,
  corpora,
  type CorpusParts,
  dropCorpus,
  primeCorpus,
  rebuildCorpus,
} from '../recall/modes/corpora.ts';
import { readTimes } from '../recall/modes/times.ts';
import type { DaemonParts } from './daemon-parts.ts';
import { ask, recallPartsOf } from './recall.ts';

export function corpusHandlers(parts: DaemonParts) {
  const corpusParts: CorpusParts = { db: parts.store.db, folder: parts.paths.corpora, now: parts.now };
  const recallParts = recallPartsOf(parts);
  return {
    // Times are resolved once, here: "last week" means the same days after every rebuild.
    'corpus.build': ({ name, filter: { since, until, ...filter } }) =>
      buildCorpus(corpusParts, name, { ...filter, ...readTimes({ since, until }, parts.now()) }),
    'corpus.list': () => corpora(corpusParts),
    'corpus.query': ({ name, ...question }) =>
      ask(recallParts, { ...question, corpus: name }, { quiet: question.quiet ?? false }),
    'corpus.rebuild': ({ name }) => rebuildCorpus(corpusParts, name),
    'corpus.drop': ({ name }) => {
      dropCorpus(corpusParts, name);
      return { ok: true };
    },
    'corpus.prime': ({ name, maxTokens }) => primeCorpus(corpusParts, name, maxTokens),
  } satisfies Partial<Handlers>;
}
