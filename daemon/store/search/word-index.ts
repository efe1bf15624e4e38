import { descending } from '../../platform/descending.ts';
import { porterStem } from '../../text/porter.ts';
import { grown } from './grown.ts';
import { Postings } from './postings.ts';

/** The texts of a note by column, each with the weight of its words. */
export type WeighedTexts = ReadonlyArray<readonly [text: string, weight: number]>;

/** A word as it is looked up: as a whole, or as the beginning of words. */
export interface Lookup {
  word: string;
  isBeginning: boolean;
}

interface WordMatch {
  seq: number;
  score: number;
}

/** Where a note may be found; null nowhere. A candidate is not live: only a search in its own shard finds it. */
interface Shelf {
  shard: number;
  live: boolean;
}

// BM25 as SQLite computes it.
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;
const LEAST_RARITY = 1e-6;
const MOST_WEIGHT = 255;
const NOWHERE = -1;
const REMEMBERED_STEMS = 20_000;

/**
 * The words of all notes in memory: what FTS5 finds and scores, in a tenth of its time, because it reads no pages and
 * compares no positions. A note that is put again gets a new number; its old entries stay, marked as gone, until the
 * next rebuild.
 */
export class WordIndex {
  readonly #terms = new Map<string, number>();
  readonly #postings = new Postings();
  readonly #stems = new Map<string, string>();
  readonly #numbers = new Map<number, number>();
  #count = 0;
  #gone = 0;
  #tokens = 0;
  #seqs = new Uint32Array(256);
  #lengths = new Uint16Array(256);
  #shelves = new Int32Array(256);
  #isGone = new Uint8Array(256);
  // Reused by every search: room for one list and for the score of every note.
  #documents = new Uint32Array(256);
  #weights = new Uint8Array(256);
  #scores = new Float64Array(256);

  get size(): number {
    return this.#numbers.size;
  }

  /** The share of entries that belong to notes that are gone. */
  get waste(): number {
    return this.#count === 0 ? 0 : this.#gone / this.#count;
  }

  put(seq: number, texts: WeighedTexts, shelf: Shelf | null): void {
    this.remove(seq);
    const document = this.#count++;
    const found = new Map<string, number>();
    // The shelf counts as words of the note, two of a learning and one of a candidate, as it does in SQLite's index.
    let length = shelf === null ? 0 : shelf.live ? 2 : 1;
    for (const [text, weight] of texts)
      for (const term of this.#termsIn(text)) {
        length++;
        found.set(term, (found.get(term) ?? 0) + weight);
      }
    for (const [term, weight] of found)
      this.#postings.add(this.#numberOf(term), document, Math.min(MOST_WEIGHT, weight));
    this.#seqs = grown(this.#seqs, this.#count);
    this.#lengths = grown(this.#lengths, this.#count);
    this.#shelves = grown(this.#shelves, this.#count);
    this.#isGone = grown(this.#isGone, this.#count);
    this.#seqs[document] = seq;
    this.#lengths[document] = length;
    this.#shelves[document] = shelf === null ? NOWHERE : shelf.shard * 2 + (shelf.live ? 1 : 0);
    this.#numbers.set(seq, document);
    this.#tokens += length;
  }

  remove(seq: number): void {
    const document = this.#numbers.get(seq);
    if (document === undefined) return;
    this.#numbers.delete(seq);
    this.#isGone[document] = 1;
    this.#shelves[document] = NOWHERE;
    this.#tokens -= this.#lengths[document] ?? 0;
    this.#gone++;
  }

  compact(): void {
    this.#postings.compact();
  }

  /** True when every word is one term here; a word of several needs their positions, which only SQLite has. */
  canLookUp(words: readonly Lookup[]): boolean {
    return words.every(({ word }) => this.#termsIn(word).length === 1);
  }

  /** Notes of these shards (null: all learnings) with any of the words, best first, ties by row. */
  search(
    words: readonly Lookup[],
    shards: readonly number[] | null,
    limit: number,
    only: ReadonlySet<number> | null,
  ): WordMatch[] {
    this.#scores = grown(this.#scores, this.#count);
    this.#scores.fill(0, 0, this.#count);
    const average = this.#tokens / Math.max(1, this.#numbers.size);
    for (const word of words) this.#score(this.#listOf(word), average);
    return this.#best(shards, limit, only);
  }

  /** Reads the list of a word into the reused arrays and returns its length. */
  #listOf({ word, isBeginning }: Lookup): number {
    const [term = ''] = this.#termsIn(word);
    if (isBeginning) return this.#listOfBeginning(term);
    const number = this.#terms.get(term);
    return number === undefined ? 0 : this.#read(number);
  }

  #read(number: number): number {
    const count = this.#postings.count(number);
    this.#documents = grown(this.#documents, count);
    this.#weights = grown(this.#weights, count);
    return this.#postings.read(number, this.#documents, this.#weights);
  }

  /** The lists of all words that begin so, as one: a note with two of them has the weight of both. */
  #listOfBeginning(beginning: string): number {
    const total = new Map<number, number>();
    for (const [term, number] of this.#terms) {
      if (!term.startsWith(beginning)) continue;
      const count = this.#read(number);
      for (let at = 0; at < count; at++) {
        const document = this.#documents[at] ?? 0;
        total.set(document, (total.get(document) ?? 0) + (this.#weights[at] ?? 0));
      }
    }
    this.#documents = grown(this.#documents, total.size);
    this.#weights = grown(this.#weights, total.size);
    let at = 0;
    for (const [document, weight] of total) {
      this.#documents[at] = document;
      this.#weights[at++] = Math.min(MOST_WEIGHT, weight);
    }
    return total.size;
  }

  /** Adds what the word that was read last is worth to each note that has it. */
  #score(count: number, average: number): void {
    const [documents, weights, lengths, scores] = [
      this.#documents,
      this.#weights,
      this.#lengths,
      this.#scores,
    ];
    const having = this.#gone === 0 ? count : this.#present(count);
    const notes = this.#numbers.size;
    const odds = Math.log((notes - having + 0.5) / (having + 0.5));
    const rarity = odds > 0 ? odds : LEAST_RARITY;
    const fixed = SATURATION * (1 - LENGTH_SHARE);
    const perToken = (SATURATION * LENGTH_SHARE) / average;
    for (let at = 0; at < count; at++) {
      const document = documents[at] as number; // both lists are `count` long
      const weight = weights[at] as number;
      const length = lengths[document] as number;
      scores[document] =
        (scores[document] as number) +
        (rarity * weight * (SATURATION + 1)) / (weight + fixed + perToken * length);
    }
  }

  #present(count: number): number {
    let present = 0;
    for (let at = 0; at < count; at++) present += this.#isGone[this.#documents[at] ?? 0] === 0 ? 1 : 0;
    return present;
  }

  #best(shards: readonly number[] | null, limit: number, only: ReadonlySet<number> | null): WordMatch[] {
    const here = shards && new Set(shards);
    const best: WordMatch[] = [];
    let least = 0;
    for (let document = 0; document < this.#count; document++) {
      const score = this.#scores[document] as number; // has room for every note
      if (score <= least) continue;
      const shelf = this.#shelves[document] as number;
      if (shelf === NOWHERE || (here ? !here.has(shelf >> 1) : (shelf & 1) === 0)) continue;
      const seq = this.#seqs[document] as number;
      if (only !== null && !only.has(seq)) continue;
      best.push({ seq, score });
      // Kept twice as long as asked for and cut now and then: cheaper than keeping it in order all the time.
      if (best.length >= 2 * limit) least = cut(best, limit);
    }
    cut(best, limit);
    return best;
  }

  #numberOf(term: string): number {
    const known = this.#terms.get(term);
    if (known !== undefined) return known;
    const number = this.#postings.addTerm();
    this.#terms.set(term, number);
    return number;
  }

  #termsIn(text: string): string[] {
    return wordsIn(text).map((word) => {
      const known = this.#stems.get(word);
      if (known !== undefined) return known;
      const stem = porterStem(word);
      if (this.#stems.size >= REMEMBERED_STEMS) this.#stems.clear();
      this.#stems.set(word, stem);
      return stem;
    });
  }
}

/** Shortens the list to its best and returns the score that a further one must exceed. */
function cut(matches: WordMatch[], limit: number): number {
  matches.sort((one, other) => descending(one.score, other.score) || one.seq - other.seq);
  matches.length = Math.min(matches.length, limit);
  return matches.length === limit ? (matches.at(-1)?.score ?? 0) : 0;
}

const IS_ASCII = /^[\0-\x7f]*$/;
const ASCII_WORDS = /[a-z0-9]+/g;
// SQLite's `unicode61` makes words of letters, numbers, and the accents it then removes.
const WORDS = /[\p{L}\p{N}\p{Co}\u0300-\u0331]+/gu;
const ACCENTED = /[^\0-\x7f]/gu;

/** The words of a text in lower case, without Latin accents, as `unicode61 remove_diacritics 2` splits it. */
function wordsIn(text: string): string[] {
  const lower = text.toLowerCase();
  if (IS_ASCII.test(lower)) return lower.match(ASCII_WORDS) ?? [];
  return (lower.match(WORDS) ?? []).map((word) => word.replace(ACCENTED, withoutAccent)).filter(Boolean);
}

function withoutAccent(letter: string): string {
  if (letter >= '\u0300' && letter <= '\u0331') return '';
  const [base = ''] = letter.normalize('NFD');
  return base >= 'a' && base <= 'z' ? base : letter;
}
