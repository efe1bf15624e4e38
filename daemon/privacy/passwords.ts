import { looksRandom } from './looks-random.ts';
import { isLiteral, looksAssigned, looksChosen, type Rule } from './rule.ts';

/** The word for a password where people write about one, in the languages our users write. */
const WORD =
  '(?:pass(?:word|wd|phrase|code)|(?<![\\p{L}\\d_])(?:pw|pwd|psk)(?!\\p{L})|passwort|kennwort|mot de passe|contrase(?:ñ|n)a|senha|wachtwoord|parola|has[łl]o|l(?:ö|o)senord|adgangskode|heslo|jelsz[óo]|salasana|şifre|mật khẩu|kata sandi|κωδικός|пароль|סיסמה|كلمة المرور|รหัสผ่าน|パスワード|密码|密碼|비밀번호)';
const IS =
  '(?:\\s(?:is|was|lautet|ist|heißt|est|es|é|è|är|er|jest|je|on|là|adalah|to|to be)\\s|\\s?(?:=|:|：|は|是|为|為|은|는|가))';

const ANY_LANGUAGE =
  'pass pw psk kennwort contrase senha wachtwoord parola hasło haslo lösenord losenord adgangskode heslo jelsz salasana şifre khẩu sandi κωδικός пароль סיסמה المرور รหัสผ่าน パスワード 密码 密碼 비밀번호'.split(
    ' ',
  );

/** Words of prose: a value that contains one is a sentence, not a passphrase. */
const PROSE =
  /\b(?:the|an?|is|are|was|be|must|should|can|not|no|of|to|for|from|in|on|and|or|with|by|at|it|this|that|your|if|when|required|optional|string|hash(?:ed)?|field|reset|too)\b/;

/** Passwords that people choose. They do not look random, so the words around them have to announce them. */
export const PASSWORDS: readonly Rule[] = [
  {
    // `password: S3cret`, `"db_password": "S3cret"`, `DB_PASSWORD=words`
    kind: 'credential',
    needs: ['pass', 'pwd', 'psk', 'pw'],
    pattern:
      /((?:pass(?:word|wd|phrase)|pwd|(?<![a-z])(?:psk|pass|pw))\d?\\?["']?\s{0,5}(?::=|=>|[:=])[ \t]{0,5}(?:[a-z](?=["']))?\\?["'`]?)([^\s"'`,;&\\|]{6,})/gi,
    isSecret: (value, lead) =>
      /(?:PASSWORD|PASSWD|PWD)\d?\\?["']?=/.test(lead)
        ? isLiteral(value)
        : /=\\?["'`]?$/.test(lead)
          ? looksAssigned(value)
          : looksChosen(value),
  },
  {
    kind: 'credential',
    needs: ['secret'],
    pattern: /(SECRET\\?["']?=\\?["']?)([^\s"'`,;&\\]{6,})/g,
    isSecret: isLiteral,
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
    // `SSHPASS='x'`
    kind: 'credential',
    needs: ['pass='],
    pattern: /(\b[A-Z]{2,12}PASS=["']?)([^\s"'`]{6,100})/g,
    isSecret: looksAssigned,
  },
  {
    // `setPassword("x")`, `.password("x")`, `.with_token("x")`
    kind: 'credential',
    needs: ['pass(', 'password(', 'passphrase(', 'secret(', 'token(', 'key('],
    pattern:
      /((?:set_?|with_?|\.)(?:pass(?:word|phrase)?|secret|token|api_?key)\(\s{0,3}["'])([^\s"']{6,200})(?=["'])/gi,
    isSecret: (value, lead) => (/set|pass/i.test(lead) ? looksAssigned(value) : looksRandom(value)),
  },
  {
    // `getByLabel("Password").fill("x")`, `get("input[name=password]").type("x")`
    kind: 'credential',
    needs: ['pass'],
    pattern:
      /(pass(?:word|wd|phrase|code)?[\]"'`)\s]{2,6}\.\w{3,20}\(\s{0,3}["'`])([^\s"'`]{6,100})(?=["'`])/gi,
    isSecret: looksChosen,
  },
  {
    // `smtpPass: 'x'`
    kind: 'credential',
    needs: ['pass'],
    pattern: /([a-z]Pass["']?\s{0,3}[:=]\s{0,3}["'`])([^\s"'`]{6,100})/g,
    isSecret: looksAssigned,
  },
  {
    kind: 'seed phrase',
    needs: ['mnemonic', 'phrase', 'words'],
    pattern:
      /(\b(?:mnemonic|(?:seed|recovery|secret)[ _-](?:phrase|words))\\?["']?\s{0,3}[:=]?\s{0,3}\\?["']?)((?:[a-z]{3,8} ){11,23}[a-z]{3,8})/gi,
  },
  {
    // `the password for staging is S3cret`, `das Passwort lautet …`
    kind: 'credential',
    needs: ANY_LANGUAGE,
    pattern: new RegExp(
      `(${WORD}[^\\n.;!?:=]{0,40}?${IS}\\s{0,3}["'\`“«「]?)([^\\s"'\`,;”»」]{6,60})`,
      'giu',
    ),
    isSecret: (value) => looksChosen(value.replace(/[.!?)]+$/, '')),
  },
  {
    // `log in with password S3cret7`, `machine h login u password p`
    kind: 'credential',
    needs: ['password', 'passphrase'],
    pattern:
      /(\b(?:login\s{1,3}\S{1,64}\s{1,3}password|with (?:the )?pass(?:word|phrase)|use (?:the )?pass(?:word|phrase))\s{1,3}["'`]?)([^\s"'`,;]{6,60})/gi,
    isSecret: (value, lead) => (/^login/i.test(lead) ? isLiteral(value) : looksAssigned(value)),
  },
  {
    // `use S3cret7 as the password`
    kind: 'credential',
    needs: ['password', 'passphrase', 'passcode'],
    pattern:
      /(\buse\s{1,3}["'`]?)([^\s"'`,;]{6,60})(?=["'`]?\s(?:as|for) (?:\w{1,12} ){0,3}pass(?:word|phrase|code))/gi,
    isSecret: looksChosen,
  },
  {
    // `creds: admin / S3cret7`
    kind: 'credential',
    needs: ['cred', 'login', 'zugangsdaten', 'identifiants'],
    pattern:
      /(\b(?:creds?|credentials|logins?|zugangsdaten|identifiants|credenciales|credenziali)\b[^\n:]{0,30}[:=]?\s{1,3}[\w.@-]{2,64}\s?[/:|]\s?)([^\s"'`,;/]{6,60})/gi,
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
    // `define('DB_PASSWORD', 'x')`, `set("password", "x")`
    kind: 'credential',
    needs: ['pass', 'secret', '_key', '_salt', 'token'],
    pattern:
      /((?:pass(?:word|wd|phrase)|secret|_key|_salt|token)["']\s{0,3},\s{0,3}["'])([^\s"'\\]{6,100})(?=["'])/gi,
    isSecret: (value) => looksAssigned(value) || value.length >= 40, // drawn from every sign there is
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
    // `expect "password:"; send "x\r"`
    kind: 'credential',
    needs: ['send'],
    pattern: /(assword:?\s?["'][^\n]{0,20}\bsend\s{1,3}(?:--\s)?["'])([^\s"'\\]{4,100})/g,
    isSecret: isLiteral,
  },
  { kind: 'password hash', needs: ['$'], pattern: /\$(?:[156]|2[abxy]|y|apr1|argon2id?)\$[\w./$,=+-]{20,}/g },
];
