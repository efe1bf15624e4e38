import { shareOfWords } from './spelt-with-digits.ts';

/**
 * One way to find secrets. In a text that matches, group 1 stays and group 2 goes; without groups the whole match goes.
 */
export interface Rule {
  kind: string;
  /**
   * Every match contains one of these, in lower case. Looking for them is far quicker than the pattern; most texts have
   * none.
   */
  needs: readonly string[];
  pattern: RegExp;
  /** Decides about a value that only looks like a secret; without it every match is one. */
  isSecret?: (value: string, lead: string) => boolean;
}

/** The parts of a list of needs. */
export const anyOf = (...parts: string[]): string[] => parts.flatMap((part) => part.split('|'));

const PLACEHOLDER =
  /^(?:[[<({*]|%\d|[#.][a-z]+(?:-[a-z]+)*$|any_|(?:sua|seu|tu|su|votre|ton|mon|dein|ihr|uw)[_-]\w|ssh-\w+$|\w+(?:\|\w+(?::\w+)?)+$|\$+[\w{(]|%\w+%$|%[sdv]$)|redacted|abcdefgh|0123456789|example(?:[-_.]?(?:com|org|net|key|token|password|secret))?$|placeholder|_here$|change[-_]?(?:me|it|this)(?!\S*\d)|replace[-_]?(?:me|with)|x{4,}|\*{3,}|\.{3}|^(?:test|any|wrong|some|fake|dummy|mock|bad|new|old|invalid|your)[-_]?(?:secret|token|password|key|pass)$|^your[a-z_]*(?:key|token|secret|bucket|password)[a-z_]*$|^(?:pass|passwd|password|passphrase|secret|pwd|token|your(?:[_-][\w-]*)?|my[_-]?(?:password|secret|token))$/i;

/** The place where a secret is kept, or a key that pages publish. */
const ELSEWHERE = /^(?:vault:|op:\/\/|arn:|ssm:|sops:|ref\+|pk_(?:live|test)_)/i;

export const isPlaceholder = (value: string): boolean => PLACEHOLDER.test(value) || ELSEWHERE.test(value);

/** True for the token of an example, as documentation prints it. */
export const isExampleToken = (token: string): boolean =>
  /example|placeholder|_here$|changeme|x{6,}|\*{3,}|\.{3}|your[_-]/i.test(token);

/** Ids, hashes and public keys that begin as tokens do. */
export const IS_ID =
  /^(?:sha\d{0,3}|md5|h1|agent|env|msg|\w*toolu|tool|call|resp|req|run|ses|sess|session|prt|part|cus|price|prod|sub|evt|pi|ch|in|inv|acct|pk|pm|seti|cs|txn|po|we|card|src|user|usr|org|proj|prj|team|file|thread|asst|chatcmpl|cmpl|gen|item|rs|fc|ws|trace|span|build|chunk|index|main|vendor|style|cache|key|id|rev|etag|v|dpl|psn|lrn)[_-]/i;

/** Neither a reference to a value elsewhere nor a piece of code. */
export const isLiteral = (value: string): boolean =>
  !/[(){}[\]<>]|^\$|^[\w$]+(?:\.[\w$]+){2,}(?:$|[^\w=])|^(?:true|false|null|undefined|none|string|number)$/i.test(
    value,
  );

export const NAMES_OF_METHODS =
  /^(?:sha-?\d|md5|base(?:32|58|64)|utf-?\d|oauth|argon2|bcrypt|pbkdf2|scrypt|hmac|aes-?\d|rsa-?\d|scram|md5|x509|pkcs|http2|ipv[46]|h2)/i;

/**
 * True for a password as people choose them: letters with a digit among them, or with a sign that no identifier has.
 */
export function looksChosen(value: string): boolean {
  if (value.length < 6 || !isLiteral(value) || NAMES_OF_METHODS.test(value)) return false;
  if (/[/.]\w+\.[a-z]\w*$|^\w+\.[a-z]\w{0,3}$|:\/\/|^[\w.+-]+@[\w-]+\.[\w.-]+$/.test(value)) return false; // a path, a file or an address
  if (/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u.test(value)) return false; // a sentence without spaces
  return (
    /\p{L}/u.test(value) &&
    (/\p{L}\d|\d\p{L}|^\p{Lu}\p{Ll}+[-_.].*\d|^\p{L}+(?:[-_.]\p{L}+)*[-_.]\d{1,4}\W?$/u.test(value) ||
      /[!#%^&*?~+@]/.test(value) ||
      isMixed(value))
  );
}

/** True for the value of an assignment, where a digit anywhere is enough: `password=Blue-77`. */
export const looksAssigned = (value: string): boolean =>
  looksChosen(value) || (isLiteral(value) && /\d/.test(value) && /\p{L}/u.test(value));

/** `const x`, `new X`, `type X`: a name that code gives or takes. */
const DECLARES =
  /(?:\b(?:const|let|var|type|class|interface|function|new|import|declare|enum|extends|implements|typeof|instanceof|return|await|def|struct|readonly|public|private)|#define)\s$/;

/** True between words and marks of code, where only a name can stand. */
export const isNameThere = (value: string, before: string, after: string): boolean =>
  /^[\w$.]+$/.test(value) && (DECLARES.test(before) || /^(?:\(|\s:?=\s|\?\.|\[\]|\s?\{$|;)/.test(after));

/** True for letters that change between small and capital as in no name of code, or that nobody could pronounce. */
const isMixed = (value: string): boolean => {
  const changes = value.match(/[a-z][A-Z]|[A-Z]{2}[a-z]/g)?.length ?? 0;
  const isUnspoken = /[B-DF-HJ-NP-TV-XZb-df-hj-np-tv-xz][b-df-hj-np-tv-xz]{4,}/.test(value);
  return (
    changes >= (isUnspoken ? 1 : 3) &&
    (isUnspoken || value.length / changes <= 4) &&
    shareOfWords(value) < 0.6
  );
};

/** Words of prose: a value that contains one is a sentence, not a passphrase. */
export const PROSE =
  /\b(?:the|an?|is|are|was|be|must|should|can|not|no|of|to|for|from|in|on|or|with|by|at|it|this|that|your|if|when|required|optional|string|hash(?:ed)?|field|reset|too|password|enter|found|set|missing|key|value)\b/;
