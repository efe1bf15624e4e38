const POINTER =
  /^(?:it|this|that|they)(?= (?:is|are|was|isn't|aren't|does|doesn't|do|don't|has|have|will|won't|can|can't|cannot|must|should|only|never|always|also|no longer|\w+s)\b)/i;
/** The subject of a sentence that begins with a name: `parseRange`, the `--force` flag. */
const SUBJECT =
  /^((?:the |our )?(?:\w+ )?`[^`]+`(?: (?:field|flag|function|file|method|command|option|hook|type|test|handler|branch|struct|package|variable|parameter))?)(?= (?:is|are|was|isn't|does|doesn't|has|will|won't|can|cannot|must|should|only|never|always|\w+s)\b)/i;

/** A sentence that begins by pointing, with the name that the sentence before it is about. None where that one names nothing. */
export function named(sentence: string, previous: string | undefined): string[] {
  const subject = previous?.match(SUBJECT)?.[1];
  return subject && POINTER.test(sentence) ? [sentence.replace(POINTER, subject)] : [];
}
