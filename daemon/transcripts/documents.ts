import type { ParsedLine, Parser, Span, Unpacked } from './adapter.ts';
import { stampOf } from './compressed.ts';

/** How a whole document is cut into records, and what changes whenever it does. */
interface DocumentForm {
  records(): string[];
  stamp?(): string;
}

/** Reads a document that agents rewrite as a whole, again whenever it changed, and returns what was added. */
export class DocumentParser implements Parser {
  readonly #path: string;
  readonly #parser: Parser;
  readonly #form: DocumentForm;
  #remembers = false;

  constructor(path: string, parser: Parser, form: DocumentForm) {
    this.#path = path;
    this.#parser = parser;
    this.#form = form;
  }

  parse(record: string, span: Span): ParsedLine {
    return this.#parser.parse(record, span);
  }

  /** A bookmark is `<records taken>@<stamp>`. */
  unpack(bookmark: string): Unpacked {
    const [count = '0', known = ''] = bookmark.split('@', 2);
    const stamp = this.#form.stamp?.() ?? stampOf(this.#path);
    if (known === stamp) return { records: [], bookmark };
    const all = this.#cut();
    if (!all) return { records: [{ text: '', span: { start: 0, end: 0 } }], bookmark: `${count}@${stamp}` }; // one bad record until it changes
    const taken = all.length < Number(count) ? 0 : Number(count);
    const remembers = this.#remembers;
    this.#remembers = true;
    // The last record may have grown since: it is read again, and its parser returns only what is new.
    const from = remembers ? Math.max(0, taken - 1) : 0;
    const records = all.slice(from).map((text, index) => {
      const start = from + index;
      return { text, span: { start, end: start + 1 }, known: start < taken - 1 };
    });
    return { records, bookmark: `${all.length}@${stamp}` };
  }

  #cut(): string[] | null {
    try {
      return this.#form.records();
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof TypeError) return null; // no document, or half of one being written
      throw error;
    }
  }
}
