const alternatives = (words: string) =>
  words
    .trim()
    .split(/\s{2,}/)
    .join('|');

/** Words for what people choose and remember, in the languages our users write. */
export const PASSWORD_WORDS = alternatives(`
  p[ao]{1,2}s{1,2}[_ -]?w(?:[o0]r|r[o0])?d  pass[_ -]?(?:wort|phrase|code|ord)  (?<![\\p{L}\\d]|--- )(?:pass(?=["'\\s]{0,3}[:=-])|pw|pwd|psk|pin(?=\\s?[:=])|p/w|mdp)(?!\\p{Ll}|\\p{Lu}{2})
  (?<=[a-z_\\d-])(?:pw|pwd|psk|pass)(?![a-z])
  pre-?shared[ _-]?key  kennwort  mot de passe  contrase(?:ñ|n)a  senha  wachtwoord  parol[aăe]  has[łl]o  l(?:ö|o)senord  adgangskode  kodeord
  heslo  jelsz[óo]  salasana  şifre  mật khẩu  kata sandi  κωδικός  парол  סיסמה  סיסמא  كلمة المرور  كلمة السر  رمز عبور
  รหัสผ่าน  पासवर्ड  パスワード  暗証番号  密码  密碼  口令  비밀번호  비번  암호  패스워드  identified by  assword  clave  shared[ _-]secret
`);

/** Names of keys that are secret: a plain `key` holds anything. */
const KEY =
  '(?:api|access|account|app|auth|wi-?fi|wlan|client|encryption|encrypt|signing|sign|master|private|secret|session|shared|service|license|deploy|storage|admin|[a-z\\d][_-]|\\s--?)[_ -]?key';

/** Words for what a program draws. */
export const SECRET_WORDS = alternatives(`
  ${KEY}  (?<=crypt\\W{1,12})key  secret[_ ]?id  secret  token  auth(?!or(?!iz))  cred(?:s|ential)?  jwt  bearer  [.]login  -api(?=\\\\?["']?:)  (?<=[a-z\\d][_-])(?:pat|salt|dsn|sig|hmac)  signature  (?<long>(?<=[a-z]\\s?)key(?![a-z]))  \\bpat(?=\\s?[:=])
  segredo  secreto  geheimnis  schlüssel  clé  clave  chave  chiave  klucz  ключ  токен  секрет  密钥  密鑰  令牌  秘钥  秘鑰  キー  トークン  シークレット  토큰
`);

/** Words that speak of signing in somewhere. */
export const LOGIN_WORDS = alternatives(`
  login  log in  sign in  identify  cred(?:s|entials?)\\b  (?<![\\p{L}\\d]|--- )pass(?=["'\\s]{0,3}[:=<-])  account  username  zugang  identifiants  credenciales  credenziali  wi-?fi  wlan  vpn
  логин  доступ  ログイン  アカウント  账号  账户  帳號  계정
`);

/** A part of every such word, quick to look for. */
const ALL_STEMS = `
  pass  assword  p[ao]{1,2}s{1,2}w  \\bp(?:/?w|in|sk)  [_-]p(?:w|sk|at)  pwd?\\b  mdp  key  secret  token  auth(?!or(?!iz))  cred  login  log in  sign in  identify  jwt  bearer
  identified by  account  username  zugang  identifiants  wi-?fi  wlan  vpn  signature  [_-](?:salt|dsn|sig|hmac|api)  \\bpat\\b
  kennwort  contrase  senha  wachtwoord  parol  haslo  hasło  senord  adgangskode  kodeord  heslo  jelsz  salasana  [şŞ]ifre  mật khẩu  sandi
  κωδικός  парол  סיסמ  كلمة  رمز عبور  รหัสผ่าน  पासवर्ड  パスワード  暗証番号  密[码碼]  口令  비밀번호  비번  암호  패스워드
  segredo  geheimnis  schl[üÜ]ssel  cl[éÉ]  clave  chave  chiave  klucz  ключ  токен  секрет  [密秘][钥鑰]  令牌  キー  トークン  シークレット  토큰
  логин  доступ  ログイン  アカウント  账[号户]  帳號  계정
`;
export const STEMS = alternatives(ALL_STEMS);

/** Finds words in a text in small letters; those in other letters than ours only where there are such letters. */
export function wordFinder(words: string): (small: string) => RegExp {
  const ours = alternatives(
    words
      .split(/\s{2,}/)
      .filter((word) => /^[ -~]+$/.test(word))
      .join('  '),
  );
  const [every, some] = [new RegExp(alternatives(words), 'g'), new RegExp(ours, 'g')];
  return (small) => (/[\u00c0-\u1fff\u3040-\ud7ff]/.test(small) ? every : some);
}

export const stemsIn = wordFinder(ALL_STEMS);

/** Verbs and prepositions between a name and its value in a sentence. */
export const IS = alternatives(`
  is  was  are  lautet  ist  heißt  est  es  é  è  är  er  jest  je  on  là  adalah  to  to be  now  auf  para  por  naar  na  на
`);
/** And right after the name: particles, schemes of headers, names of fields. */
export const BETWEEN = alternatives(`
  ${IS.replaceAll('|', '  ')}  は  が  是  为  為  은  는  이  가  default  value  val  send  [bru]  basic  bearer  token  ssws  apikey  key  digest  negotiate
`);

/** Ends of names that hold something about a secret, not the secret: `tokenId`, `secretName`, `password_hash_cost`. */
export const ABOUT_IT = String.raw`ids?|names?|types?|ur[li]s?|paths?|files?|dirs?|counts?|limits?|at|kinds?|fields?|labels?|lengths?|sizes?|[ia]zers?|versions?|algorithm|policy|error|vault|variables?|alias|hash|expir\w{0,8}|ttl|scopes?|audience|issuer`;
