const KEPT_BECAUSE = 'Kept because ';

/** Why a text was noticed. Most reasons are what the text does; some name who did it themselves. */
export function reasonsFor(text: string, why: readonly string[]): string {
  const own = why.filter((reason) => reason.startsWith('the agent '));
  const does = why.filter((reason) => !own.includes(reason)).join(', ');
  return [does && `${text} ${does}`, ...own].filter(Boolean).join('; ');
}

/** The last line of a note's body: why it was kept. */
export const keptBecause = (reasons: string): string => `${KEPT_BECAUSE}${reasons}.`;

/** The body without that line. It is about the note, not about its subject, and much the same in every note. */
export const withoutReasons = (body: string): string => {
  const at = body.lastIndexOf(`\n${KEPT_BECAUSE}`);
  return at < 0 ? body : body.slice(0, at).trimEnd();
};
