import type { Span } from './named.ts';
import { isPlaceholder, looksAssigned, PROSE } from './rule.ts';
import { ABOUT_IT, IS, PASSWORD_WORDS, wordFinder } from './words.ts';

/** Where a name may begin. Quick to look for, because most texts have none. */
const beginsIn = wordFinder(`
  mot de passe  pass  pasw  poss?w  pwd  pw\\b  psk  secret  pre-?shared  identified by  kennwort  mdp  contrase  clave  senha  wachtwoord
  parol  haslo  hasło  losenord  lösenord  adgangskode  kodeord  heslo  jelsz  salasana  şifre  mật khẩu  kata sandi  κωδικός  парол  סיסמ
  كلمة  รหัสผ่าน  पासवर्ड  密[码碼]  パスワード  비밀번호  비번  암호
`);

const NAME = String.raw`(?<!by|com|tres|sur)(?<name>${PASSWORD_WORDS}|secret)(?<rest>[\p{L}\d_-]{0,24}?)`;
/** `: String`, `[]`, ` string` between a name and its value in code. */
const TYPE = String.raw`(?:\s?:\s?[&*]?[\p{L}\d_.<>]{1,24}\??(?=\s?=)|\[\d{0,3}\]|\sstring(?=\s?=))?`;
const SAYS = 'is|was|lautet|ist|est|es|é|è|är|er|jest|je|on|là|adalah';
const QUOTE = String.raw`\\?["'\x60]`;

/** A name, a mark and a quoted value: `"password": "x"`, `'password' => 'x'`, `setProperty("password", "x")`. */
const QUOTED = new RegExp(
  String.raw`${NAME}(?:(?:${QUOTE})?[\])]?${TYPE}\s{0,3}(?:=>|:=|={1,3}|[:：])\s{0,3}|${QUOTE},[ \t]{0,3}(?:${QUOTE}value${QUOTE}\s?:\s?)?|\sby\s{1,3}|(?<=(?:set|with|\.)_?passw[a-z]{1,6})\(\s?)[bruf@]?(?<quote>${QUOTE})(?<value>(?:(?!\k<quote>)[^\\\n]){4,100})\k<quote>`,
  'iuy',
);
/** `the password is "x"`, `**Password:** \`x\`` */
const SAID = new RegExp(
  String.raw`${NAME}[^\n.;!?:="'\x60{}()<>,]{0,40}(?:\s(?:${IS}|as|with)\s|(?<colon>[:：])\*{0,2}\s{1,2}|\s)(?<quote>["'\x60])(?<value>[^"'\x60\\\n]{4,60})\k<quote>`,
  'iuy',
);
/** `the wifi password is sunflower`, `mdp : tartiflette`: a word at the end of what is said. */
const SPOKEN = new RegExp(
  String.raw`${NAME}(?:\s[\p{L}\d-]{1,20}){0,7}?(?:['’]s|\s(?:${SAYS})|\s?[:：])\s{1,2}(?:(?:just|still|simply)\s)?(?<value>\p{L}+(?:-\p{L}+)*!?)(?=["']|</|\s?(?:$|\n|[.!;)]\s|\s(?:btw|please|pls|thanks|but|and|bitte)\b))`,
  'iuy',
);
/** `<password>x</password>`, `<add key="password" value="x"/>` */
const ELEMENT = new RegExp(
  String.raw`${NAME}(?:(?<=<[\w:.-]{1,40})[^<>\n]{0,60}>(?:\s{0,3}<(?:value|string)>)?|["']\s{1,3}value=["']|["'](?:\\r)?(?:\\n|\r?\n){2}|</(?:key|name)>\s{0,20}<(?:string|value)[^<>]{0,40}>)(?<value>[^<>"'\s\\]{4,100})(?=</|["'\r\n\\])`,
  'iuy',
);
/** `password=x` without spaces, as no code writes it, up to where a shell, an address or a list ends it. */
const GLUED = new RegExp(
  String.raw`${NAME}\\?["']?(?:=|(?<=[^\x00-\x7f]):\s?|：\s?|(?<=[\s:.]?\/[\w.]{0,40}):)(?<value>[^\s"'\x60,;&\\|<>()]{4,100})(?=[\s"'\x60;&\\|。，]|,[a-z_]{1,20}=|$)`,
  'iuy',
);
/** A line that is nothing but a name and a value. */
const LINE = new RegExp(
  String.raw`(?<=(?:^|\n|\\n)[ \t>+#\d→|-]{0,16}(?:export |set |env )?[\w.-]{0,60})${NAME}["']?(?:\s{0,6}(?<mark>[:=|]|\??\s?(?:->|→|=>))\s{1,6}|\s{1,6}(?:\d\s)?)(?<value>[^\s"'\x60,;|\\]{4,100})(?=[\s|]*(?:$|\n|\\n|\s#))`,
  'iuy',
);
/** `"BORG_PASSPHRASE=some words"`, `${PG_PASS:-x}` */
const CLOSED = new RegExp(String.raw`(?<=["'][\w.-]{0,40})${NAME}=(?<value>[^"'\n\\]{4,100})(?=["'])`, 'iuy');
const DEFAULT = new RegExp(
  String.raw`${NAME}(?::?-|(?<=\$\{[\w.]{0,60}):(?![?-]))(?<value>[^\s{}"']{4,100})(?=\})`,
  'iuy',
);
/** `- name: DB_PASSWORD`, and on the next line `value: x` */
const NEXT_LINE = new RegExp(
  String.raw`(?<=name["']?\s?[:=]\s{0,3}["']?[\w.-]{0,60})${NAME}["']?,?[ \t]{0,3}\r?\n\s{0,40}["']?value["']?\s?[:=]\s{0,3}["']?(?<value>[^\s"'\x60,;|\\]{4,100})`,
  'iuy',
);
/** `Server=.;User Id=sa;Password=x(!);` */
const CONNECTION = new RegExp(
  String.raw`(?<=[\w ]=[^=\n]{1,60};\s?[\w ]{0,20})${NAME}\s?=\s?(?<value>[^;"'\n]{4,100})(?=;|["'\n]|$)`,
  'iuy',
);
const FORMS = [QUOTED, ELEMENT, NEXT_LINE, CONNECTION, CLOSED, DEFAULT, GLUED, LINE, SAID, SPOKEN];

/** Further ends of names that say something about a password: `passwordReset`, `passwords`, `passed`. */
const ABOUT = new RegExp(
  `(?:${ABOUT_IT}|manager|reset|input|hint|placeholder|text|title|message|store|rules?|regex|pattern|key|refs?|for|protected|only|auth\\w*|encoder|strength|ed|es|ing|ive|port\\w*|s)$`,
  'i',
);

/** Words about passwords, types, and what stands in for a value. */
const NO_VALUE =
  /^(?:(?:my|your|the|new|old|user|db|test|raw|plain|hashed|current|wrong|bad|good)?[ _-]?(?:p[ao]ss(?:word|wd|phrase|code|wort)?s?|pwd?|secret|token|kennwort|contraseña|senha|wachtwoord|hasło|heslo|пароль|mot de passe)[\d_]?|[a-z\d]+(?:-[a-z\d]+)*-(?:secrets?|credentials?|creds|tokens?|keys?|certs?|tls|config)|[a-z]+_(?:password|passwd|secret|token)|mismatch|test|postgres|mysql|root|guest|demo|example|foo|bar|scram-sha-\d+|authorization|credentials?|api_?key|cookies?|auth|salt|hash|pin|ssn|todo|tbd|fixme|n\/a|true|false|null|nil|none|undefined|str(?:ing)?|text|varchar\S*|char|bytes?|buffer|number|int(?:eger)?|bool(?:ean)?|object|any|unknown|never|self|this|req(?:uired|uest)?|optional|missing|invalid|incorrect|wrong|empty|blank|hidden|unset|set|sent|changed|reset|expired|disabled|enabled|valid|fail(?:ed|ure|s)?|pass(?:ed|es)?|prompt|ask|auto|default|values?|input|field|label|name|user(?:name)?|admin|env|file|stdin|basic|bearer|generated|stored|encrypted|hashed|redacted|masked|confidential|sensitive|opaque|secure|private|manager|confirm\w*|login|vault|keychain|keyring|local|manual|always|never|only|with|when|from|that|this|here|there|below|above|same|see|not|must|should|will|can|is|are|was|has|have|been)$/i;

/** Code, a path, an address or a reference to a value that is kept elsewhere. */
const IS_REFERENCE =
  /^\w+<|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]|^[\w.$]+[([][\w\s.,:$'"-]*(?:[)\]]|$)|^[({[<]|^\$[\w{(]|\$\{|^%\w+%$|\{[\w\s]*\}|^@?[.~]{0,2}\/|^[A-Za-z]:\\|:\/\/|^\w+(?:\.\w+)+(?:\[|$)|^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$|^[\w.+-]+@[\w-]+\.\w+|^[\w./-]+\.(?:\w{2,4})$|^\W+$|=>|->|::|&&|\?\?|^![a-z]+$|^@[\w-]+\.|^this\.|^[\^~]?v?\d+(?:\.\d+)+(?:-\w+)?$/u;

/** `blue.Mango.88`, which is no reference. */
const IS_DOTTED = /^[A-Za-z]+(?:\.[A-Za-z\d]+)*\.\d+$/; // as no name of code ends

/** A word that says something about a password: `expired`, `case-sensitive`, `obligatoire`. */
const DESCRIBES =
  /(?:ed|en|ing|[ai]ble|ive|al|ful|less|ly|ory|ous|[ae]nt|ic|id|ect|ht|ong|own|ort|ak|ew|xt|only|set|ue|ique|oire|eur|rrect[ao]|[ao]ri[ao]|ado|ada|ido|ida|lsch|ig|lich|tzt|time|safe|same|here|there|what|null|empty|secret|default|password|passphrase|first|required|right|ready|false|true|public|private|missing|something|anything|nothing|secure|unsafe|yours|everything)$/i;

/** Values that stand where a name says that a password stands. */
export function assignedPasswords(text: string, small: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const { index } of small.matchAll(beginsIn(small))) {
    if (index < from) continue;
    const value = FORMS.reduce<Span | null>((found, form) => found ?? valueOf(form, text, index), null);
    if (!value) continue;
    spans.push(value);
    from = value.end;
  }
  return spans;
}

function valueOf(form: RegExp, text: string, at: number): Span | null {
  form.lastIndex = at;
  const found = form.exec(text);
  if (!found?.groups) return null;
  const { name = '', rest = '', value = '', quote, colon, mark } = found.groups;
  const isCode = IS_REFERENCE.test(value) && !IS_DOTTED.test(value);
  const isSecretKey = form === QUOTED && /^secret$/i.test(name) && /^_?key$/i.test(rest);
  if (
    (ABOUT.test(rest) && !isSecretKey) ||
    isPlaceholder(value) ||
    NO_VALUE.test(value.replace(/!$/, '')) ||
    isCode
  )
    return null;
  if (form === LINE && mark === undefined && !looksAssigned(value.replace(/[!?.]+$/, ''))) return null;
  if (!isSecretKey && !isPassword(value, name, colon ? QUOTED : form)) return null;
  if (isSecretKey && !/^(?!.*secret_?key$)[^/]{8,}$|\s|-|^(?=.*\d)[^/]{6,}$/i.test(value)) return null; // `'secretKey'`
  if (/\s/.test(value) && /^pass$/i.test(name) && !/\w/.test(text.charAt(at - 1))) return null; // of a test
  if (form === SAID && /\buser\b/i.test(found[0])) return null; // `password authentication failed for user "x"`
  const start = at + found[0].length - value.length - (quote?.length ?? 0);
  return { start, end: start + value.length };
}

function isPassword(value: string, name: string, form: RegExp): boolean {
  // `export BORG_PASSPHRASE='…'`
  if (/\s/.test(value) && form === QUOTED && /^PASS(?:WORD|PHRASE)$/.test(name))
    return value.split(' ').length <= 8;
  if (/\s/.test(value)) return isPassphrase(value, /^secret$/i.test(name) ? 1 : 2);
  if (/^\d+$/.test(value)) return value.length >= (form === QUOTED ? 4 : 6) && !/^pass$/i.test(name);
  const isWord = /^\p{L}+$/u.test(value);
  if (form === SPOKEN)
    return value.length >= 6 && !DESCRIBES.test(value) && !(isWord && /^(?:pass|secret|pin)$/i.test(name));
  if (/^secret$/i.test(name))
    return (
      /^SECRET$/.test(name) ||
      (form === QUOTED &&
        !/[/]/.test(value) &&
        (/\d{2}|^(?=.*[a-z])(?=.*[A-Z]).*\d/.test(value) ||
          (/\d|[a-z][A-Z]|^[a-z]{8,}$/.test(value) &&
            !DESCRIBES.test(value) &&
            !/secret|token|key|client|test|mock/i.test(value))))
    );
  if (form === SAID)
    return !/^(?:pass|secret)$/i.test(name) && (!isWord || (value.length >= 6 && !DESCRIBES.test(value)));
  if (form === LINE && PROSE.test(value.replaceAll('-', ' '))) return false;
  if (form === LINE) return !/^[a-z]+(?:[A-Z][a-z]*)+$|_|^[A-Z][a-z]+$|^[a-z]{1,5}$/.test(value);
  return true;
}

/** Small letters all the way: a label or a message begins with a capital or ends with a full stop. */
const isPassphrase = (value: string, spaces: number): boolean =>
  /^[\p{Ll}\d-]+(?: [\p{Ll}\d-]+){1,11}$|^[\p{L}]+(?: \p{L}+){0,3} \d+$/u.test(value) &&
  value.split(' ').length > spaces &&
  !PROSE.test(value);
