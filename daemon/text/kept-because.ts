const KEPT_BECAUSE = 'Kept because ';

/** The last line of a note's body: why it was kept. */
export const keptBecause = (reasons: string): string => `${KEPT_BECAUSE}${reasons}.`;

/** The body without that line. It is about the note, not about its subject, and much the same in every note. */
export const withoutReasons = (body: string): string => {
  const at = body.lastIndexOf(`\n${KEPT_BECAUSE}`);
  return at < 0 ? body : body.slice(0, at).trimEnd();
};
