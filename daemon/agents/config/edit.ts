/**
 * Adds our entries to a configuration text and removes them again. Pure: `config-file.ts` reads and writes the files.
 */
export interface Edit {
  /**
   * Returns the text with our current entries; unchanged if they are there already. A missing file is an empty text.
   */
  apply(text: string): string;
  /** Returns the text without our entries; containers that the original had stay even when they are empty. */
  remove(text: string, original: string | null): string;
  /** True if the text has any entry of ours. */
  isIn(text: string): boolean;
  /** True if nothing is left that a person wrote. */
  isEmpty(text: string): boolean;
}

/** A file that belongs to Reflect as a whole. */
export function wholeFile(content: string): Edit {
  return {
    apply: () => content,
    remove: (_text, original) => original ?? '',
    isIn: (text) => text.trim() !== '',
    isEmpty: (text) => text === '',
  };
}
