import type { Fact } from '#contract/outcomes.ts';
import { sentences, straightQuotes } from '../../text/sentences.ts';

type StatedFact = Pick<Fact, 'text' | 'category'>;

/** Plain statements that hold beyond the task: a preference, who does what, how the project is built. */
const FORMS: ReadonlyArray<{ category: Fact['category']; form: RegExp }> = [
  {
    category: 'preference',
    form: /^(?:i|we) (?:always |usually |generally |strongly )?(?:prefer|like to|love to|dislike|hate) (?!it\b|that\b|this\b|how\b|the way\b)/i,
  },
  {
    category: 'personal',
    form: /^my (?:name|role|job|time ?zone|pronouns|team|machine|editor) (?:is|are)\b/i,
  },
  {
    category: 'personal',
    form: /^(?!(?:This|That|It|He|She|Which|Who|What|One) )\p{Lu}\p{Ll}+ (?:leads|owns|maintains|is (?:the|our) (?:[\w-]+ )?(?:lead|owner|maintainer|reviewer|manager|architect|designer|admin))\b/u,
  },
  {
    category: 'project',
    form: /^(?:our|the) (?:[\w-]+ ){0,2}(?:api|app|backend|frontend|server|service|database|site|repository|repo|project|pipeline|cluster)(?: of this project)? (?:uses|runs (?:on|in)|is (?:written in|built with|hosted on|deployed (?:to|on))|targets|supports only) \S/i,
  },
  {
    category: 'project',
    form: /^we (?:use|deploy to|host on|target|only support|release) (?!it\b|that\b|this\b|these\b|the same\b)\S/i,
  },
];

/** Said of the moment, of a problem, or as a request: true now, and of no use later. */
const PASSING =
  /\?|\b(?:now|today|yesterday|tomorrow|currently|already|still|again|instead|wrong|broken|breaks?|fails?|failing|errors?|bugs?|should|please|but|if|when|because|here is|you)\b/i;
const ASIDE =
  /^(?:by the way|btw|fyi|also|note(?: that)?|remember(?: that)?|for context|just so you know)\b[,:]?\s+/i;
const SHORTEST = 12;
const LONGEST = 160;

/** The facts in a person's own words, where no model reads them. Few and certain: most sessions state none. */
export function statedFacts(said: readonly string[]): StatedFact[] {
  const found = said
    .flatMap((text) => sentences(straightQuotes(text)))
    .flatMap((sentence) => sentence.split(/,? and (?=(?:I|we|my) )/))
    .map((sentence) =>
      sentence
        .trim()
        .replace(/[.!]+$/, '')
        .replace(ASIDE, ''),
    )
    .filter(({ length }) => length >= SHORTEST && length <= LONGEST)
    .filter((sentence) => !PASSING.test(sentence))
    .flatMap((text) => {
      const category = FORMS.find(({ form }) => form.test(text))?.category;
      return category ? [{ text, category }] : [];
    });
  return [...new Map(found.map((fact) => [fact.text.toLowerCase(), fact])).values()];
}
