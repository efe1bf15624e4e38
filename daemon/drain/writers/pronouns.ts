const POINTER =
  /^(?:it|this|that|they)(?= (?:is|are|was|isn't|aren't|does|doesn't|do|don't|has|have|will|won't|can|can't|cannot|must|should|only|never|always|also|no longer|\w+s)\b)/i;
/** The subject of a sentence that begins with a name: `parseRange`, the `--force` flag. */
const SUBJECT =
  /^((?:the |our )?(?:\w+ )?`[^`]+`(?: (?:field|flag|function|file|method|command|option|hook|type|test|handler|branch|struct|package|variable|parameter))?)(?= (?:is|are|was|isn't|does|doesn't|has|will|won't|can|cannot|must|should|only|never|always|\w+s)\b)/i;

const LONGEST = 200; // characters
const ENDS = /[.!]+$/;

/**
 * A sentence that begins by pointing, in ways that say at what: with the name that the sentence before it is about, and
 * joined to that sentence. None where that one points or asks itself.
 */
export function named(sentence: string, previous: string | undefined): string[] {
  if (!previous || !POINTER.test(sentence)) return [];
  const subject = previous.match(SUBJECT)?.[1];
  const joined = `${previous.replace(ENDS, '')}; ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
  const isClear = !POINTER.test(previous) && !/[?:]$/.test(previous) && joined.length <= LONGEST;
  return [...(subject ? [sentence.replace(POINTER, subject)] : []), ...(isClear ? [joined] : [])];
}
