import { looksRandom } from './looks-random.ts';
import { anyOf, isLiteral, looksAssigned, looksChosen, type Rule } from './rule.ts';
import { strengthOf } from './strength.ts';

/** A command goes on after a backslash at the end of its line. */
const UP_TO = '(?:[^\\n|;\\\\]|\\\\\\n?){0,160}?\\s';
const QUOTED = `["']?`;
/** In quotes it may contain spaces. */
const VALUE = `((?<=["'])[^"'\\n$-][^"'\\n]{3,80}(?=["'])|[^\\s"'|;$\\x60-][^\\s"'|;]{3,})`;

/** In quotes a password may have brackets, which are code without them. */
const isPassword = (value: string, lead: string) =>
  /["']$/.test(lead) ? !/\$[\w({]/.test(value) : isLiteral(value);

/** A command, the option that takes its password, and the password. */
const option = (command: string, flag: string, isSecret: Rule['isSecret'] = isPassword): Rule => ({
  kind: 'credential',
  needs: command.split('|').map((name) => `${name} `),
  pattern: new RegExp(`(\\b(?:${command})\\b${UP_TO}${flag}${QUOTED})${VALUE}`, 'g'),
  isSecret,
});

/** Tools that are given a password as an argument. What it looks like says nothing, so the tool has to be known. */
export const COMMAND_LINES: readonly Rule[] = [
  option('curl|wget|http|https|xh', '(?:-u|--user|--proxy-user)[ =]{0,3}["\']?[^\\s:"\'$]{0,100}:'),
  option('http|https|xh', '(?:-a|--auth)[ =]?["\']?[^\\s:"\'$]{1,100}:'),
  option(
    'curl|http|https',
    '(?:-b|--cookie)[ =]["\']?[^\\s=;"\']{1,60}=',
    (value) => looksRandom(value) || looksChosen(value),
  ),
  option('sshpass', '-p\\s?'),
  option(
    'snmpwalk|snmpbulkwalk|snmpget|snmpset',
    '-[cAX]\\s?',
    (value) => !/^(?:public|private)$/.test(value),
  ),
  // Glued to its flag: with a space it would be the name of a database.
  option('mysql|mysqldump|mysqladmin|mariadb', '-p'),
  option('redis-cli|valkey-cli', '(?:-a|--pass)[ =]'),
  option('ldapsearch|ldapmodify|ldapadd|ldapdelete|ldapwhoami', '-w\\s?'),
  option('docker|podman|helm|oras|skopeo|crane', 'login\\s[^\\n|;]{0,160}?-p\\s'),
  option('smbclient|rpcclient|smbmap', '-U\\s?["\']?[^\\s%"\']{1,64}%'),
  option('zip|unzip', '-P\\s?'),
  option('openssl', '(?:enc|aes\\S{1,20})\\s[^\\n|;]{0,160}?-k\\s'),
  option('wpa_passphrase|radtest', '\\S{1,64}\\s'),
  option('ssh-keygen', '-[NP]\\s'),
  option('sqlcmd|bcp|tsql|isql|ipmitool|mosquitto_pub|mosquitto_sub', '-P\\s?'),
  option(
    'az|cf|oc|ibmcloud|twine|cqlsh|psexec|winrs|evil-winrm|rdesktop|influx|security|mongo|mongosh|mongodump|mongorestore|beeline|crackmapexec|hydra|steghide|ncftpput|ncftpget|pio|argocd',
    '-p\\s',
  ),
  option('plink|pscp|psftp|kadmin|kadmin.local', '-pw\\s'),
  option('swaks', '(?:-ap|--auth-password)\\s'),
  option('slappasswd|ldappasswd', '-[sw]\\s'),
  option('signtool', '/p\\s'),
  option('schtasks', '/rp\\s'),
  option('openssl', 'passwd\\s(?:-\\S{1,10}\\s){0,3}', looksAssigned),
  option('mkpasswd|ccrypt', '(?:-\\S{1,10}\\s){0,3}', looksAssigned),
  option('codecov|codecov.io/bash\\)|anaconda|doctl|vercel', '(?:-t|--token)[ =]', looksRandom),
  option('xfreerdp|wfreerdp', '/p:'),
  option('7z|7za|rar|unrar', '-p'),
  option('rabbitmqctl', '(?:add_user|change_password)\\s\\S{1,64}\\s'),
  option('mc', 'alias set\\s\\S{1,64}\\s\\S{1,200}\\s\\S{1,64}\\s'),
  option('htpasswd', '-[a-zA-Z]{0,5}b[a-zA-Z]{0,5}\\s\\S{1,200}\\s\\S{1,64}\\s'),
  option('poetry', 'config\\s(?:http-basic\\.\\S{1,64}\\s\\S{1,64}|pypi-token\\.\\S{1,64})\\s'),
  option('bundle|bundler', 'config\\s[^\\n|;]{0,100}?\\s[\\w.-]{1,64}:'),
  option('net', '(?:use\\s[^\\n]{1,160}?/user:\\S{1,64}|user\\s\\S{1,64})\\s', looksChosen),
  option('net', 'use\\s\\S{1,64}\\s(?:\\\\\\\\\\S{1,100}\\s)?', looksChosen),
  option(
    'gh|glab|eas|doppler|railway|infisical',
    '(?:secret|variable)\\S{0,12} [^\\n|;]{0,100}?(?:-b|--body|--value)[ =]',
  ),
  option('aws', 'put-parameter\\s[^\\n|;]{0,160}?--value[ =]'),
  option('kubectl|oc', '--from-literal[ =]["\']?[\\w.-]{1,64}='),
  option('pulumi', 'config set\\s[^\\n|;]{0,60}?--secret\\s[\\w:.-]{1,64}\\s'),
  option('snyk|ngrok|vault|wandb', '(?:auth|login|authtoken|add-authtoken|operator unseal)\\s', looksRandom),
  {
    // `sqlplus scott/tiger@db`, `jdbc:oracle:thin:scott/tiger@db`
    kind: 'credential',
    needs: ['sqlplus ', 'expdp ', 'impdp ', ':thin:', ':oci:'],
    pattern:
      /((?:\b(?:sqlplus|expdp|impdp)\s(?:-\w{1,8}\s){0,3}["']?|:(?:thin|oci):)[\w$#]{1,64}\/)([^\s"'@/|;$]{4,64})(?=@)/g,
    isSecret: isLiteral,
  },
  {
    // `echo x | sudo -S true`, `echo x | docker login --password-stdin`
    kind: 'credential',
    needs: ['echo ', 'printf '],
    pattern:
      /(\b(?:echo|printf)\s{1,3}(?:-n\s|["']%s(?:\\n)?["']\s)?["']?)((?<=["'])[^"'|$\n]{4,100}(?=["'])|[^\s"'|$]{4,100})(?=["']?\s{0,3}\|\s{0,3}(?:sudo\s[^\n]{0,20}-S\b|kinit|[^\n|]{0,60}(?:stdin|passwd|login|cryptsetup|pinentry|\bsecrets?\s(?:put|create|set|add)|create secret)))/g,
    isSecret: isLiteral,
  },
  {
    // `printf 'ann:x\nbob:y\n' | chpasswd`
    kind: 'credential',
    needs: ['chpasswd'],
    pattern:
      /(\b(?:echo|printf)\s{1,3}(?:-e\s)?["']?[\w.-]{1,40}:)([^"'|$%]{4,400})(?=["']?\s{0,3}\|\s{0,3}(?:sudo\s)?chpasswd)/g,
  },
  {
    // what a command that draws or shows a secret printed
    kind: 'credential',
    needs: anyOf(
      'openssl rand|rails secret|pwgen|pass show|vault |op read|bw get|secrets versions',
      'token_urlsafe|token_hex|cat |echo $|auth token|auth:token',
    ),
    pattern:
      /((?:\bopenssl rand|\brails secret|\bpwgen|\b(?:go)?pass show|\bvault (?:kv )?(?:get|read)|\bop read|\bbw get|secrets versions access|\btoken_(?:urlsafe|hex)|\bcat \S{0,60}(?:\.key|secret|passw\w{1,4}|token)|\becho \$\w{0,30}(?:TOKEN|SECRET|KEY|PASS\w{0,4})|\bauth[ :]token)[^\n]{0,80}(?:\n[ \t]{0,4}|→\s))([^\s"'`:]{6,200})(?=\s|$)/g,
    isSecret: (value) => strengthOf(value.replace(/=+$/, '')) !== 'none',
  },
  {
    // `kinit ann <<< "x"`
    kind: 'credential',
    needs: ['<<<'],
    pattern:
      /((?:\b(?:pass|kinit|keepass\S{0,9}|secret\S{0,9}|bw|op|gpg|passwd|chpasswd|login|cryptsetup)\s[^\n|;]{0,80})?<<<\s?["']?)([^\s"'$]{6,100})/g,
    isSecret: (value, lead) =>
      lead.startsWith('<') ? looksChosen(value) && !/=$/.test(value) : isLiteral(value),
  },
  {
    // `fly secrets set NAME=x`, `vault kv put secret/db name=x`
    kind: 'credential',
    needs: anyOf(
      'secret set|secrets set|secret put|secrets put|secret create|secrets add|kv put',
      'config:set|config set',
    ),
    pattern:
      /(\b(?:secrets?|kv|config)[ :](?:set|put|create|add)\s[^\n|;]{0,100}?[\w.-]{1,64}=["']?)([^\s"'|;$-][^\s"'|;]{3,})/g,
    isSecret: looksAssigned,
  },
  {
    // a secret that a workflow asks its log to hide
    kind: 'credential',
    needs: ['::add-mask::'],
    pattern: /(::add-mask::)([^\s"'$]{6,})/g,
  },
  {
    kind: 'credential',
    needs: ['convertto-securestring'],
    pattern: /(\bConvertTo-SecureString\s[^\n]{0,60}?["'])([^\s"'$]{4,100})/gi,
    isSecret: isLiteral,
  },
];

/** Words that follow the name of an option in a sentence. */
const IS_SAID_OF_OPTION =
  /^(?:option|flag|arg(?:ument)?s?|param(?:eter)?s?|from|with|when|will|must|should|instead|does|that|this|which|value|string|using|file|stdin|prompt|interactively|password|is|are|was|or|and|to|for|on|in|if|was|has|can|may|string|text|[a-z]+(?:-[a-z]+)*-password)$/i;

/** Options of tools that we do not know. */
export const OPTIONS: readonly Rule[] = [
  {
    // `--password x`, `-storepass x`
    kind: 'credential',
    needs: ['pass', '-pwd'],
    pattern:
      /(\s--?[a-z-]{0,20}(?:pass(?:word|phrase|wd)?|pwd)[ =]["']?)((?<=["'])[^"'\n$]{4,60}(?=["'])|[^\s"'`,;&\\-][^\s"'`,;&\\]{3,})/gi,
    isSecret: (value, lead) =>
      looksAssigned(value) ||
      (/(?:word|phrase|wd) ?=?["']?$/i.test(lead) &&
        !IS_SAID_OF_OPTION.test(value) &&
        !/^https?:|^[./~<[({]/.test(value)),
  },
  {
    // `some-tool -u ann -p x`; a port, a folder and the name of a database are none
    kind: 'credential',
    needs: [' -u'],
    pattern: /(\s-[uU]\s?[^\s-][^\s]{0,63}\s(?:[^\n|;]{0,60}?\s)?-[pPw]\s?["']?)([^\s"'|;$-][^\s"'|;]{3,})/g,
    isSecret: (value) => looksAssigned(value) || /^[A-Za-z]+(?:-[A-Za-z]+)+$/.test(value),
  },
  {
    // `some-tool -u ann,x`
    kind: 'credential',
    needs: [' -u', ' --user'],
    pattern: /(\s(?:-[uU]|--user)[ =]?["']?[\w.@\\-]{1,64}[,%:])([^\s"'|;$:-][^\s"'|;:]{3,})/g,
    isSecret: looksAssigned,
  },
  // `some-tool -p S3cret!7`, `-U ann%S3cret!7`: a value that looks like nothing else
  {
    kind: 'credential',
    needs: [' -', ' /'],
    pattern:
      /(\s(?:-[A-Za-z][ =]?|\/[A-Za-z]{1,2}[ :])["']?(?:[\w.@\\-]{1,64}[:%,])?)([^\s"'`|;,:%=/]{8,100})(?=["']?(?:\s|$))/g,
    isSecret: (value) => ['strong', 'drawn'].includes(strengthOf(value)),
  },
];
