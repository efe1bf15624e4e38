import { isDrawn, looksRandom } from './looks-random.ts';
import { anyOf, IS_ID, isLiteral, looksChosen, type Rule } from './rule.ts';

const ARGUMENT = `(?:["'][^"'\\n]{0,100}["']|[\\w.$]{1,40}|\\{[^{}\\n]{0,120}\\})`;

/** Secrets that a file format or a call keeps apart from their name, so that no `name=value` announces them. */
export const STRUCTURES: readonly Rule[] = [
  {
    // a private key once more in base64; a certificate begins the same way and is public
    kind: 'private key',
    needs: ['ls0tls1crudj'],
    pattern: /(\b)(LS0tLS1CRUdJ[A-Za-z0-9+/]{40,}={0,2})/g,
    isSecret: (value) => Buffer.from(value.slice(0, 80), 'base64').includes('PRIVATE KEY'),
  },
  {
    // a file with secrets in base64: the key of a service account, the logins of Docker
    kind: 'credential',
    needs: ['eyj', 'ewog', 'w2rlzm'],
    pattern: /(\b)((?:eyJ|ewog|W2RlZm)[A-Za-z0-9+/_-]{30,}={0,2})(?!\.)/g,
    isSecret: (value) =>
      /PRIVATE KEY|passw|secret|"auths?"|token/i.test(Buffer.from(value.slice(0, 800), 'base64').toString()),
  },
  {
    // `<secret>` and its lines
    kind: 'credential',
    needs: ['secret>', 'token>', 'password>', '-auth>', '-crypt>'],
    pattern:
      /(<[\w-]{0,30}(?:secret|token|password|-auth|-crypt)>\s{1,20})([\w+/=][\w+/=\s-]{15,4000}?)(?=\s{0,20}<\/)/gi,
    isSecret: (value) => value.split(/\s+/).every((line) => looksRandom(line)),
  },
  {
    kind: 'credential',
    needs: ['digest '],
    pattern: /(\bDigest\b[^\n]{0,300}\bresponse=\\?["']?)([\da-f]{32,64})/gi,
  },
  {
    // twilio('AC…', 'x'): an id and its secret
    kind: 'credential',
    needs: ["('ac", '("ac', "('sk", '("sk', 'twilio('],
    pattern:
      /((?:\(\s?["'](?:[A-Z]{2}[\da-f]{32}|\[redacted [a-z ]{1,30}\])["']|\btwilio\([\w.]{1,40}),\s?["'])(\w{32,64})(?=["'])/g,
  },
  {
    // mysqli_connect("localhost", "shop", "x"), new mysqli(…)
    kind: 'credential',
    needs: ['connect', 'mysqli(', 'ftp(', 'ftp_tls('],
    pattern: new RegExp(
      `((?:\\b\\w{2,12}_p?connect|new mysqli|\\bFTP(?:_TLS)?)\\(\\s{0,3}${ARGUMENT},\\s?${ARGUMENT},\\s?["'])([^\\s"']{4,100})(?=["'])`,
      'g',
    ),
  },
  {
    // process.env.JWT_SECRET || 'x', os.getenv("API_KEY", "x")
    kind: 'credential',
    needs: ['env'],
    pattern:
      /(\benv(?:iron)?(?:\.|\(|\[|\.get\()["']?\w{0,40}(?:SECRET|TOKEN|KEY|PASS|PWD|PASSWORD|JWT|AUTH)(?!\w*(?:HEADER|NAME|URL|_ID|TTL|FILE|PATH|PREFIX))\w{0,20}["']?[)\]]?\s{0,3}(?:\|\||\?\?|,|\bor\b)\s{0,3}["'])([^"'\n]{6,100})(?=["'])/g,
    isSecret: (value) => isLiteral(value) && !/^(?:https?|file):|^[./]|^[a-z]+(?:[_-][a-z]+)?$/.test(value),
  },
  {
    // btoa('ann:x')
    kind: 'credential',
    needs: ['btoa(', 'encode('],
    pattern: /((?:btoa|b64encode|base64\w{0,10})\(b?["'][\w.@-]{1,64}:)([^\s"'$]{4,100})(?=["'])/gi,
  },
  {
    // `…/with/key/x`, `…/private-x/basic.ics`, `…/reset-password/x`
    kind: 'signed link',
    needs: ['://'],
    pattern:
      /(:\/\/[^\s"'<>]{1,160}\/(?:(?:key|token|secret|[a-z-]{0,20}(?:reset|verify|confirm|invite|magic|activate|login))(?:-?[a-z]{0,12})\/|private-))([\w.-]{16,200})/gi,
    isSecret: looksRandom,
  },
  {
    // AES.new(b"x"), hmac.new("x"), createHmac('sha256', 'x'), new SecretKeySpec("x".getBytes(), "AES")
    kind: 'credential',
    needs: ['aes', 'hmac', 'cipher', 'fernet', 'secretkeyspec', 'symmetric'],
    pattern:
      /((?:\b(?:AES|DES3?|Blowfish|hmac)\.new|\bFernet|SecretKeySpec|\w{0,20}(?:Hmac|HMAC|Cipher(?:iv)?)|Symmetric\w{0,12}Key)\(\s{0,3}(?:["'][\w-]{2,20}["'],\s?)?(?:\w{1,20}\.\w{1,20}\()?b?["'])([^"'\n]{8,100})(?=["'])/g,
    isSecret: (value) => /[^a-z-]/i.test(value) && !/^[A-Za-z]+(?:[-/_]?\w{1,8}){0,3}$/.test(value),
  },
  {
    // the bytes of a key: `[211, 95, …]`
    kind: 'private key',
    needs: ['key', 'solana', 'wallet', 'secret', 'seed'],
    pattern:
      /((?:key\w{0,5}|solana|wallet|secret|seed)\b[^\n[]{0,40}\[\s{0,4})((?:\d{1,3}\s{0,2},\s{0,12}){15,}\d{1,3})/gi,
  },
  {
    // the private half of a JSON Web Key
    kind: 'private key',
    needs: ['"kty'],
    pattern: /("(?:d|k|p|q|dp|dq|qi)\\?"\s{0,3}:\s{0,3}\\?")([\w-]{20,})/g,
  },
  {
    kind: 'private key',
    needs: ['private-lines:'],
    pattern:
      /(\bPrivate-Lines: \d{1,3}(?:\\r|\\n|\s){1,4})([A-Za-z0-9+/=\s]{40,4000}?)(?=\s{1,2}Private-MAC|\\n|$)/g,
  },
  {
    // the private key of a wallet
    kind: 'private key',
    needs: anyOf('wallet|private|privkey|accounts: [|deployer|signer|signing|secretkey|secret key'),
    pattern:
      /((?:\bwallet\b(?!.{0,12}address)|(?:priv(?:ate)?|signing|secret)[_ -]?key|accounts:\s?\[|\bdeployer|\bsigner)[^\n]{0,40}?[\s"'=:([])((?:0x)?[\da-f]{64}|[5KL][1-9A-HJ-NP-Za-km-z]{50,51})\b/gi,
  },
  {
    // { "username": "ann", "key": "x" }
    kind: 'credential',
    needs: ['"key'],
    pattern:
      /("user(?:name)?\\?"\s{0,3}:\s{0,3}\\?"[^"\n]{1,100}",\s{0,20}\\?"key\\?"\s{0,3}:\s{0,3}\\?")([^\s"\\]{16,200})/gi,
    isSecret: looksRandom,
  },
  {
    // `https://mainnet.infura.io/v3/x`: nodes of block chains take their key in the address
    kind: 'service token',
    needs: ['infura.io', 'alchemy.com', 'quiknode.pro', 'ankr.com', 'chainstack.com', 'getblock.io'],
    pattern:
      /(:\/\/[\w.-]{1,80}\.(?:infura\.io|alchemy\.com|quiknode\.pro|ankr\.com|chainstack\.com|getblock\.io)\/(?:[\w-]{1,30}\/){0,3})([\w-]{16,100})/gi,
    isSecret: looksRandom,
  },
  {
    // a host that does nothing but take calls, `https://hooks.zapier.com/hooks/catch/1/x`; its keys may be short
    kind: 'webhook',
    needs: ['://hook', '://webhook'],
    pattern: /(:\/\/(?:web)?hooks?\.[\w.-]{3,60}\/(?:[\w-]{1,40}\/){1,6})([\w-]{6,200})(?![\w/-]*[\w-])/gi,
    isSecret: (value) => /\d/.test(value) && /[a-z]/i.test(value),
  },
];

/** `new Resend('x')`, `cohere.ClientV2("x")`: a client is given nothing but its key. */
export const ONLY_ARGUMENT: Rule = {
  kind: 'credential',
  needs: [`("`, `('`, `(b"`, `(b'`, '(\\"'],
  pattern:
    /((?:\b[A-Z]\w{1,40}|\.(?:configure|set_?api_?key|init|load|login|connect)\w{0,20})\(\s{0,3}b?\\?["'])([\w.+/-]{24,200}={0,2})(?=\\?["'])/g,
  isSecret: (value) =>
    looksRandom(value) && !IS_ID.test(value) && (isDrawn(value) || /^[\da-f]{32}$/.test(value)),
};

/** `algoliasearch('id', 'x')`, `HTTPBasicAuth("user", "x")`, `getConnection(url, "sa", "x")`: a name and its secret. */
export const NAME_AND_SECRET: Rule = {
  kind: 'credential',
  needs: anyOf('client|search|auth|login|connect|session|sdk|credential|hmac|cipher|jwt|pdo|user('),
  pattern: new RegExp(
    `((?:client|search|auth|login|connect|session|sdk|credential|hmac|cipher|jwt|create_?(?:super)?user|\\bpdo)\\w{0,20}(?:\\.\\w{1,20})?\\s?=?\\s?\\(\\s{0,3}(?:${ARGUMENT}\\s{0,3},\\s{0,3}){1,3}["'])([^\\s"'<>]{6,200})(?=["'])`,
    'gi',
  ),
  isSecret: (value, lead) =>
    (/(?:pdo|getConnection|connection|credential|auth|hmac|jwt\.(?:sign|verify|encode|decode))\(/i.test(
      lead,
    ) &&
      /[^A-Za-z]/.test(value) &&
      !/^[A-Z_]+$/.test(value)) ||
    (/(?:auth|login|credential|connect|user)\w*\s?=?\s?\(/i.test(lead)
      ? looksChosen(value) || looksRandom(value)
      : value.length >= 20 && looksRandom(value) && !/^[\da-f]{8}-/.test(value)),
};

/** The address of a webhook is all one needs to post to it. */
export const WEBHOOK: Rule = {
  kind: 'webhook',
  needs: ['hook'],
  pattern:
    /(\bhttps?:\/\/[^\s"'<>]{0,120}?(?:webhook\w{0,10}|hooks)(?:\.[\w.-]{1,60})?\/)([^\s"'<>?#]{24,400})/gi,
  isSecret: (value) => value.split('/').some((part) => part.length >= 20 && looksRandom(part)),
};

/** `.auth('ann', 'x')`, `setCredentials("ann", "x")` */
export const USER_AND_PASSWORD: Rule = {
  kind: 'credential',
  needs: ['auth(', 'login(', 'credentials(', 'authenticate(', 'begin('],
  pattern:
    /((?:auth|login|credentials|authenticate|wifi\w{0,12}\.begin)\(\s?["'][\w.@-]{1,64}["'],\s?["'])([^\s"'/<>{}$]{4,100})(?=["']\s?[,)])/gi,
  isSecret: (value) => !/^(?:pass\w*|secret|token|basic|bearer|callback|https?)$/i.test(value),
};
