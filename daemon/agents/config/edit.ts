/** How one configuration text is changed and changed back. Pure: files are somebody else's. */
export interface Edit {
  /** The text with our entries in it, up to date; nothing changes where they are already. A file that is not there is empty. */
  apply(text: string): string;
  /** The text without our entries; what the original had stays even when it is empty. */
  remove(text: string, original: string | null): string;
  /** Whether any entry of ours is in there. */
  isIn(text: string): boolean;
  /** Whether nothing is left that anyone wrote. */
  isEmpty(text: string): boolean;
}

/** A file that is ours from its first byte to its last. */
export function wholeFile(content: string): Edit {
  return {
    apply: () => content,
    remove: (_text, original) => original ?? '',
    isIn: (text) => text.trim() !== '',
    isEmpty: (text) => text === '',
  };
}
