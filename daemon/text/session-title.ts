import { shorten } from './one-line.ts';
import { sentences } from './sentences.ts';

const LONGEST = 80; // characters
const SHORT = 12; // characters; a shorter sentence says too little alone
const LONGEST_LEAD = 40; // characters of a line such as "Implement the following plan:"

/** Parts of a request that nobody would recognise it by. */
const NOISE = [
  /```[\s\S]*?(?:```|$)/g,
  /<\/?[a-z][\w:-]*(?:\s[^<>]*)?>/gi,
  /!?\[(?:Image|Pasted text)[^\]]*\]/gi,
  /\[\[ ## \w+ ## \]\]|@\[\w+\]:/g, // how programs mark the parts of a prompt
  /^\s*[➜❯✓✔✗✘●⎿│├└┌$%].*$/gm, // a prompt of a shell, and what programs print
  /^\s*You are (?:an?|the) .*$/gim, // the role an agent is told to play
];
const ADDRESS = /https?:\/\/[^\s)>\]]+/g;
const NAMED_ADDRESS = /([^/]+\/(?:pull|issues|merge_requests)\/\d+)/;
/** A file or a folder of the machine; its last part is what people call it. */
const PATH =
  /(?<![\w/.~-])(?:~?\/(?:[\w.@-]+\/){2,}([\w.@-]+)|(?:[\w.@-]+\/){2,}([\w@-]+\.\w{1,5}))(?![\w/])/g;
const PLAN = /^(?:implementation )?plan ?: */i;
/** "Ok, can you please review it?" asks to review it. */
const POLITE =
  /^(?:(?:hi|hey|hello|ok|okay|so|now|also|please|pls)\b[,.!…]*\s+)*(?:(?:can|could|would|will) (?:you|we)\s+(?:please\s+|also\s+)*|(?:let'?s|please|i'd like to|i would like to)\s+)?(?=\p{L})/iu;
const ENDS_INSIDE = /(?<=\p{L}{3}[.!])\s+(?=\p{Ll})/u; // people in a hurry begin a sentence in lower case
const ONLY_POINTS = /\b(?:this|that|it|these|those|following)\W*$/i;

/** The first request of a session as its title: one short line of the person's own words. */
export function sessionTitle(request: string): string {
  const plain = NOISE.reduce((text, noise) => text.replace(noise, '\n'), request)
    .replace(ADDRESS, (address) => NAMED_ADDRESS.exec(address)?.[1] ?? '')
    .replace(PATH, '$1$2');
  const said = sentences(plain)
    .flatMap((sentence) => sentence.split(ENDS_INSIDE))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
  const [first = '', second = ''] = isLead(said[0]) && said[1] ? said.slice(1) : said;
  const asked = withoutCourtesy(first.replace(PLAN, ''));
  const saysEnough = asked.length >= SHORT && !(asked.length < LONGEST_LEAD && ONLY_POINTS.test(asked));
  if (saysEnough || !second) return shorten(asked, LONGEST);
  return shorten(
    withoutCourtesy(/[.!?:]$/.test(first) ? `${first} ${second}` : `${first}. ${second}`),
    LONGEST,
  );
}

/** "Implement the following plan:" says nothing of what follows. */
const isLead = (line = ''): boolean => line.endsWith(':') && line.length <= LONGEST_LEAD;

function withoutCourtesy(sentence: string): string {
  const asked = sentence.replace(POLITE, '');
  // A title that is no longer phrased as a question does not end like one.
  const end = asked === sentence ? /(?: please)?[.,:!\s]*$/ : /(?: please)?[.,:!?\s]*$/;
  return asked
    .replace(end, '')
    .replace(/^\p{Ll}+(?=[\s,]|$)/u, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}
