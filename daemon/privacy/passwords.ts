import { looksRandom } from './looks-random.ts';
import { isLiteral, looksAssigned, looksChosen, type Rule } from './rule.ts';

/** Words of prose: a value that contains one is a sentence, not a passphrase. */
const PROSE =
  /\b(?:the|an?|is|are|was|be|must|should|can|not|no|of|to|for|from|in|on|and|or|with|by|at|it|this|that|your|if|when|required|optional|string|hash(?:ed)?|field|reset|too)\b/;

/** Passwords made of words, which only a name that leaves no doubt, or a format, tells from other words. */
export const PASSWORDS: readonly Rule[] = [
  {
    // `DB_PASSWORD=words`
    kind: 'credential',
    needs: ['passw', 'pwd', 'pass=', 'passphrase', 'secret'],
    pattern:
      /((?:PASSWORD|PASSWD|PASSPHRASE|[A-Z]PASS|PWD|SECRET)\d?\\?["']?=\\?["']?)([^\s"'`,;&\\|/~.][^\s"'`,;&\\|]{5,})/g,
    isSecret: isLiteral,
  },
  {
    // `password=Blue-77`
    kind: 'credential',
    needs: ['pass'],
    pattern: /(pass(?:word|wd|phrase)?\d?\\?["']?=\\?["'`]?)([^\s"'`,;&\\|]{6,})/gi,
    isSecret: looksAssigned,
  },
  {
    // `password: correct horse battery staple`
    kind: 'credential',
    needs: ['pass'],
    pattern:
      /(\bpass(?:word|phrase|wd)\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?)([a-z]{3,12}(?:[ -][a-z]{3,12}){3,7})(?=\s*(?:["'\\\n]|$))/gim,
    isSecret: (value) => !PROSE.test(value),
  },
  {
    // `BORG_PASSPHRASE='any words'`
    kind: 'credential',
    needs: ['pass', 'secret'],
    pattern:
      /([A-Z_](?:PASS|PASSWORD|PASSPHRASE|PASSWD|SECRET)=(?:"(?=[^"\n]{6,100}")|'(?=[^'\n]{6,100}')))([^"'\n]{6,100})/g,
    isSecret: (value) => /\s/.test(value) && isLiteral(value) && !PROSE.test(value),
  },
  {
    // `Backup codes: 31453-79724 …`
    kind: 'credential',
    needs: ['recovery', 'backup c', 'backup-c', 'backup_c', 'scratch', 'emergency'],
    pattern:
      /(\b(?:recovery|backup|scratch|emergency)[ _-]codes?\b[^\n\d]{0,40}\s{0,3})((?:(?=[a-z]{0,7}\d)[\da-z]{4,8}[ -][\da-z]{4,8}\s{0,3}){1,20})/gi,
  },
  {
    // `WEBHOOK_TOKEN=blueSky91`
    kind: 'credential',
    needs: ['token'],
    pattern: /([A-Z]_TOKEN=["']?)([^\s"'`,;&\\|]{8,})/g,
    isSecret: looksChosen,
  },
  {
    kind: 'seed phrase',
    needs: ['mnemonic', 'phrase', 'words'],
    pattern:
      /(\b(?:mnemonic|(?:seed|recovery|secret)[ _-](?:phrase|words))\\?["']?\s{0,3}[:=]?\s{0,3}\\?["']?)((?:[a-z]{3,8} ){11,23}[a-z]{3,8})/gi,
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
    needs: ['cred', 'login', 'zugangsdaten', 'identifiants', 'wifi', 'wi-fi', 'wlan', 'vpn'],
    pattern:
      /(\b(?:creds?|credentials|logins?|zugangsdaten|identifiants|credenciales|credenziali|wi-?fi|wlan|vpn)\b[^\n:]{0,30}[:=]?\s{1,3}[\w.@-]{2,64}\s?[/:|]\s?)([^\s"'`,;/]{6,60})/gi,
    isSecret: looksChosen,
  },
  {
    // `IDENTIFIED BY 'x'`, `WITH PASSWORD 'x'`, `storePassword 'x'`
    kind: 'credential',
    needs: ['identified by', 'passw', 'passd', 'psk'],
    pattern: /((?:\bidentified by|passw(?:or)?d|\bpsk)\s{1,3}["'])([^\s"'\\]{4,100})(?=["'])/gi,
    isSecret: isLiteral,
  },
  {
    // `define('AUTH_SALT', 'x')`, drawn from every sign there is
    kind: 'credential',
    needs: ['secret', '_key', '_salt'],
    pattern: /((?:secret|_key|_salt)["']\s{0,3},\s{0,3}["'])([^\s"'\\]{40,100})(?=["'])/gi,
  },
  {
    // a line of .pgpass: host:port:database:user:password
    kind: 'credential',
    needs: [':5432:', ':5433:', ':6432:', ':*:'],
    pattern:
      /((?:^|["'])[\w.*-]{1,100}:(?:543[23]|6432|\*):[\w*-]{1,64}:[\w*-]{1,64}:)([^\s"']{4,100})(?=["']|$)/gm,
    isSecret: (value) => looksChosen(value) || looksRandom(value),
  },
  {
    kind: 'password hash',
    needs: ['$1$', '$5$', '$6$', '$2a$', '$2b$', '$2x$', '$2y$', '$y$', '$apr1$', '$argon2'],
    pattern: /\$(?:[156]|2[abxy]|y|apr1|argon2id?)\$[\w./$,=+-]{20,}/g,
  },
];
