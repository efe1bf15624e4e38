import { anyOf, isLiteral, looksAssigned, looksChosen, PROSE, type Rule } from './rule.ts';
import { shareOfWords } from './spelt-with-digits.ts';

/** Passwords made of words, which only a name that leaves no doubt, or a format, tells from other words. */
export const PASSWORDS: readonly Rule[] = [
  {
    // `password: correct horse battery staple`
    kind: 'credential',
    needs: ['password', 'passphrase', 'passwd'],
    pattern:
      /(\bpass(?:(?:word|phrase|wd)\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?|phrase is ))([a-z]{3,12}(?:[ -][a-z]{3,12}){2,7}(?:[ -]\d{1,4})?)(?=\s*(?:["'\\\n]|$))/gim,
    isSecret: (value) => !PROSE.test(value),
  },
  {
    // `Backup codes: 31453-79724 …`
    kind: 'credential',
    needs: ['recovery', 'backup', 'scratch', 'emergency'],
    pattern:
      /(\b(?:recovery|backup|scratch|emergency)(?:[ _-](?:codes?|keys?)\b[^\n:\d]{0,40}[:=\n]?|:)\s{0,3})((?:(?:\d{1,2}[.)]|[-*•])?\s?[\da-z]{4,10}(?:-[\da-z]{4,10})?(?![a-z]),?\s{0,3}){1,40})/gi,
    isSecret: (value) =>
      value
        .trim()
        .split(/\s+/)
        .every((code) => /\d|^[-*•]$/.test(code)),
  },
  {
    // `PIN: 4711`, `your verification code is 123456`
    kind: 'credential',
    needs: anyOf(
      'pin |pin:|pin-|passcode| code is| code:|k code|r code|e code|one-time|one time|otp',
      'tan |puk|cvv|cvc|combination|code de v|einmalcode|zugangscode|gungscode|heitscode',
      'verifica',
    ),
    pattern:
      /(\b(?:pin(?:[ -]?code)?|otp|passcode|(?:one[ -]time|verification|security|login|confirmation|2fa|mfa|sms|door|gate|alarm|unlock|entry|safe|lock)[ -](?:pass)?code|one[ -]time password|PUK|TAN|CVV2?|CVC|(?:safe|lock|locker|vault)(?:'s)? combination|(?:einmal|zugangs|bestätigungs|sicherheits|freischalt)code|code de v[ée]rification|c[óo]dig?[oe] d[ei] verifica\w{1,4}|codice di verifica|verificatiecode)\b[^\n\d.;,:=]{0,32}(?:\b(?:is|ist|lautet|est|es|é|è)\s|[:=]|(?<=(?:unlock|door|time|gate|alarm|sms|2fa|mfa) code|(?:unlock|sim|card|door|phone|my|your) pin|PUK|CVV2?|CVC|combination)[ ])[ \t]{0,3}["'`]?)(\d{4,8}#?|(?<=CV[VC]2?\W{1,3})\d{3}|\d{3}[ -]\d{3}|\d\d[ -]\d\d[ -]\d\d)(?![\d%-]|\.\d|\s?(?:ms|px|bytes))/gi,
  },
  {
    // the same in other letters
    kind: 'credential',
    needs: ['код', '验证码', '驗證碼', '認証', '確認コード', '인증'],
    pattern:
      /((?:код\p{L}{0,6}(?:\s\p{L}{3,20})?|验证码|驗證碼|認証(?:コード|番号)|確認コード|인증\s?(?:번호|코드))(?:\s?[:：]|\s?(?:是|は|:)|은|는)?\s{0,3})(\d{4,8})(?!\d)/giu,
  },
  {
    // `username ann secret 5 x`, `enable password x`, `crypto isakmp key x address …`, `Key Content : x`
    kind: 'credential',
    needs: ['username ', 'enable ', 'isakmp key ', 'key content', 'pass:', 'key is '],
    pattern:
      /((?:^[ \t]*(?:username \S{1,40} [^\n]{0,30}?|enable )(?:secret|password) (?:\d )?|isakmp key |key content\s{1,16}: |-pass(?:in|out)?\spass:|(?:wi-?fi|wlan)[^\n]{0,60} key is )["'`]?)([^\s"'`,;]{4,60})/gim,
    isSecret: (value) => isLiteral(value) && /[^a-z]/.test(value),
  },
  {
    // `2FA secret: JBSW Y3DP EHPK 3PXP`
    kind: 'credential',
    needs: ['2fa', 'totp', 'otp', 'mfa', 'two-factor', 'authenticator'],
    pattern:
      /((?:2fa|otp|mfa|two-factor|authenticator)[^\n]{0,60}?[\s:="'`(])((?:[a-z2-7]{4} ){3,15}[a-z2-7]{2,4}|[A-Z2-7]{16,64})(?![A-Za-z\d])/gi,
    isSecret: (value) => /[2-7]/.test(value) && /[a-z]/i.test(value),
  },
  {
    // `1. ripple 2. canvas …`
    kind: 'seed phrase',
    needs: ['12. ', '12) ', '12: '],
    pattern: /(?:\b\d{1,2}[.):]\s{1,2}[a-z]{3,8}\s{1,3}){11,23}\d{1,2}[.):]\s{1,2}[a-z]{3,8}\b/g,
  },
  {
    kind: 'seed phrase',
    needs: ['mnemonic', 'seed', 'phrase', 'words', 'wallet', 'bip39', 'bip-39'],
    pattern:
      /(\b(?:mnemonic|bip-?39|seed|wallet|(?:recovery|secret)[ _-](?:phrase|words))\b[^\n]{0,40}?[\s:="'`])((?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![a-z])/gi,
    isSecret: (value) => !/\b(?:the|and|for|are|was|not|but|from|has|its)\b/.test(value),
  },
  {
    // `log in with password blue-sky-7`, `machine h login u password p`
    kind: 'credential',
    needs: ['password', 'passphrase'],
    pattern:
      /(\b(?:login\s{1,3}\S{1,64}\s{1,3}password|(?:with|use) (?:the )?pass(?:word|phrase))\s{1,3}["'`]?)([^\s"'`,;]{6,60})/gi,
    isSecret: (value, lead) => (/^login/i.test(lead) ? isLiteral(value) : looksAssigned(value)),
  },
  {
    // `creds: admin / blue#sky`
    kind: 'credential',
    needs: anyOf(
      'cred|login|log in|logging in|logged in|sign in|zugangsdaten|identifiants|wifi|wi-fi',
      'wlan|vpn',
    ),
    pattern:
      /(\b(?:creds?|credentials|logins?|log(?:ged|ging)? in|sign in|zugangsdaten|identifiants|credenciales|credenziali|wi-?fi|wlan|vpn)\b[^\n:]{0,30}(?:[:=]\s{1,3}|[ \t]{1,3})(?:(?:[\w.@-]|\\(?![nrt])){2,64}\s?[/:|]\s?|(?:[\w.-]{1,40}@[\w.-]{1,40}|admin|root)(?:,|\s(?:and|und|et|y))\s))([^\s"'`,;/]{6,60})/gi,
    isSecret: looksChosen,
  },
  {
    // `define('AUTH_SALT', 'x')`, drawn from every sign there is
    kind: 'credential',
    needs: ['secret', '_key', '_salt'],
    pattern: /((?:secret|_key|_salt)["']\s{0,3},\s{0,3}["'])([^"'\\\n]{40,120})(?=["'])/gi,
    isSecret: (value) => shareOfWords(value) < 0.6,
  },
  {
    // SNMP: `community x RO`, `community_string: x`
    kind: 'credential',
    needs: ['community'],
    pattern:
      /(\b(?:snmp-server |snmp[\w ]{0,20})?community(?:_string|String)?(?:(?<=snmp.{0,30})\s|\s?[:=]\s?)["']?)([\w!@#$%^&*.-]{4,60})(?=["'\s]|$)/gi,
    isSecret: (value) =>
      !/^(?:public|private|string|edition|version|guidelines)$/i.test(value) && /[^a-z]/.test(value),
  },
  {
    // keys in groups: `BitLocker recovery key: 123456-…`, `Product key: AAAAA-…`
    kind: 'credential',
    needs: ['key', 'serial', 'licen', 'activat'],
    pattern:
      /((?:key|serial|licen[cs]e|activation)\b[^\n]{0,24}[\s:="'])((?:\d{6}-){7}\d{6}|(?:[A-Z\d]{4,7}-){3,7}[A-Z\d]{4,7})(?![\w-])/g,
    isSecret: (value) => /\d/.test(value),
  },
  {
    // `u: admin p: x`
    kind: 'credential',
    needs: ['u: ', 'user: ', 'id: '],
    pattern: /(\b(?:u|user|id):\s?\S{1,64}[\s,;/]{1,3}(?:p|pw|pass):\s?)([^\s"'`,;]{4,60})/gi,
    isSecret: isLiteral,
  },
  {
    // the secret key of 1Password
    kind: 'service token',
    needs: ['a3-'],
    pattern: /\bA3-[A-Z\d]{6}-(?:[A-Z\d]{5,11}-){3,4}[A-Z\d]{5}\b/g,
  },
  {
    // `root:x@tcp(db:3306)`, `NEO4J_AUTH=neo4j/x`
    kind: 'credential',
    needs: ['@tcp(', '@unix(', 'auth='],
    pattern:
      /((?:["'\s=][\w.-]{2,32}:(?=[^\s@]{4,64}@(?:tcp|unix)\()|_AUTH=["']?\w{1,32}[/:]))([^\s"'@]{4,64})/g,
    isSecret: isLiteral,
  },
  {
    // a line of .pgpass: host:port:database:user:password
    kind: 'credential',
    needs: [':5432:', ':5433:', ':6432:', ':*:'],
    pattern:
      /((?:^|["'])[\w.*-]{1,100}:(?:543[23]|6432|\*):[\w*-]{1,64}:[\w*-]{1,64}:)([^\s"']{4,100})(?=["']|$)/gm,
    isSecret: isLiteral,
  },
  {
    kind: 'password hash',
    needs: [
      '$1$',
      '$5$',
      '$6$',
      '$2a$',
      '$2b$',
      '$2x$',
      '$2y$',
      '$y$',
      '$apr1$',
      '$argon2',
      'scram-sha-',
      ':::',
      `'*`,
      '| *',
    ],
    pattern:
      /(?<=:[\da-f]{32}:)[\da-f]{32}(?=:::)|(?<![\w*])\*[\dA-F]{40}\b|\bSCRAM-SHA-\d{1,3}\$\d{3,7}:[\w+/=$:]{40,}|\$(?:[156]|2[abxy]|y|apr1|argon2id?)\$[\w./$,=+-]{20,}/g,
  },
];

/** `admin / x`, `| root | x |`, `ann@acme.dev, x`: the name of a user and a value that no word is like. */
export const AFTER_USER: Rule = {
  kind: 'credential',
  needs: ['admin', 'root', 'postgres', 'deploy', 'ubuntu', 'guest', 'demo', '@'],
  pattern:
    /((?:(?<![\w/.-])(?:admin(?:istrator)?|root|postgres|deploy|ubuntu|demo|guest)|@[\w-]{1,40}\.[\w.]{2,30})["'`]?(?:\s?[|/,]\s?|\s(?:and|und|et|y|with)\s)["'`]?)([^\s"'`,;/|]{6,60})(?=[\s"'`,;.|)]|$)/gim,
  isSecret: (value) =>
    looksChosen(value.replace(/[.!?]+$/, '')) && /\d|[!#$%^&*]/.test(value) && !/^\?|&\w+=/.test(value),
};

/** `ann@acme.dev:x`; a path or the name of a repository after an address is none. */
export const AFTER_ADDRESS: Rule = {
  kind: 'credential',
  needs: ['@'],
  pattern: /((?:^|[\s"'])[\w.+-]{1,40}@[\w-]{1,40}\.[\w.]{2,30}:)([^\s"'/.:@]{6,60})(?=[\s"']|$)/g,
  isSecret: looksChosen,
};
