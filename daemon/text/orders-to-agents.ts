import { withoutInvisible } from './plain-line.ts';

/** Words for one idea in the languages people write notes in; a note may mix them. */
const idea = (...words: string[]) => new RegExp(words.join('|'), 'iu');

const IGNORE = idea(
  'ignorier|missacht|vergiss|nicht (?:an|auf) .{0,40}(?:halten|hören)',
  'ignore[zr]?\\b|oublie|ne (?:tiens|tenez|tiens plus|tenez plus)\\b|(?:fais|faites) fi\\b|passe[zr]? outre',
  'ignora|olvida|(?:haz|hagas?|hacer) caso (?:omiso|de)|no (?:tengas|tenga) en cuenta|no sigas',
  'esqueça|desconsider|não (?:siga|leve)|dimentica|non (?:tenere|seguire|considerare)|trascura',
  'negeer|vergeet|zignoruj|ignoruj|zapomnij|ignorera|glöm|ignorer|glem',
  'игнорир|забудь|не (?:следуй|слушай|обращай)|пренебрег',
  '無視|忘れ|従わ(?:ない|ず)|忽略|无视|忽視|忘记|不要理会|不要遵守|무시|따르지',
);
const ORDERS = idea(
  'anweisung|vorgabe|instruktion|weisung|\\bregeln\\b|consigne|directives|règles|instructions (?:pré|ant)',
  'instruccion|indicacion|órdenes|\\breglas|instruções|\\bregras|orientações|istruzion|\\bregole|direttive',
  'instructies|opdrachten|aanwijzingen|instrukcj|poleceni|zasad|anvisning',
  'инструкц|указани|правил|распоряжени|指示|命令|ルール|規則|指令|规则|要求|지시|명령|규칙|지침',
);
const DISREGARD =
  /\b(?:ignore|disregard|forget|override|overrule|set aside|pay no (?:attention|heed) to|stop following)\b/i;
const WORDS_OF_PERSON =
  /\b(?:what(?:ever)?|anything|everything|all) (?:that )?(?:(?:the|your) (?:user|person|human|developer|operator|owner|client)|you (?:were|have been|are|had been))\b|\b(?:the|your) (?:user|person|human|developer|operator)(?:'s)? (?:requests?|wishes|objections?|orders|instructions|preferences|says|said|tells?|told|asks?|wants?)\b/i;

const PERSON = idea(
  '\\b(?:user|person|human|developer|operator|owner|reviewer)s?\\b|benutzer|nutzer|anwender|entwickler',
  'utilisateur|développeur|usuari|usuário|utente|desarrollador|desenvolvedor|sviluppatore|gebruiker|użytkownik',
  'пользовател|разработчик|человек|ユーザー?|利用者|开发者|用户|使用者|사용자|개발자',
);
const UNTOLD = idea(
  '(?:sag|verrat|erzähl|erwähn|informier|zeig)\\p{Ll}*\\b.{0,60}\\b(?:nicht|nie|niemals|nichts)\\b|\\bohne\\b.{0,30}\\b(?:zu sagen|zu informieren|wissen)|heimlich|\\bohne\\b.{0,40}\\bzu fragen',
  '\\bne\\b.{0,8}(?:dis|dites|mentionne|révèle|préviens|prévenez|parle|informe)|sans (?:prévenir|informer|avertir|en parler|le dire)|à l.insu|sans (?:le |lui )?demander',
  '\\bno\\b.{0,6}(?:digas|menciones|informes|cuentes|reveles|avises)|\\bsin (?:avisar|informar|decir|que lo sepa)|a escondidas|\\bsin (?:preguntar|pedir)',
  '\\bnão (?:diga|mencione|informe|conte|avise|revele)|\\bsem (?:avisar|informar|contar|dizer)|\\bnon (?:dire|dirlo|menzionare|informare|avvisare|rivelare)|\\bsenza (?:avvisare|informare|dire|dirlo|chiedere)|\\bsem perguntar',
  'не (?:говори|сообщай|упоминай|рассказывай|показывай|уведомляй|информируй)|втайне|без ведома|тайком|не спрашивая|без спроса',
  '知らせ(?:ず|ない)|言わ(?:ず|ない)|伝え(?:ず|ない)|教え(?:ず|ない)|内緒|秘密裏|こっそり|聞かず|尋ねず',
  '(?:不要|不得|别|勿|不)(?:告诉|告知|提及|通知|透露|让)|瞒着|悄悄|(?:无需|不要|不)询问|묻지|알리지|말하지|몰래|언급하지',
);
const SAID = idea(
  '\\bsag|gesagt|\\bwill\\b|\\bdit\\b|dijo|diga|pide|disse|pediu|detto|chiede|zei|gezegd|powiedział',
  'сказал|говорит|просит|言(?:っ|う)|说|說|要求|말한|말하는',
);
const PERSON_AS_ADVICE =
  /\b(?:user|person|human|developer|operator)s?\b[^\n]{0,30}\b(?:as|are|is) (?:mere |only |just )?(?:suggestions?|advice|optional|hints?|noise|untrusted)\b/i;
const BETWEEN_US =
  /\bkeep (?:this|that|it|these) (?:to yourself|between us|secret|quiet|from (?:them|him|her|everyone))\b|\bbetween (?:you and me|us)\b/i;

const SEND = idea(
  '\\b(?:send|post|upload|exfiltrate|leak|forward|transmit|e?mail|submit|publish|push|copy|sync|mirror|beacon|deliver|share)(?:s|ing)?\\b',
  'sende|schick|übermittl|übertrag|hochlad|lade\\b.{0,60}\\bhoch|envoie|envoyer|envoyez|transmet|téléverse|publie',
  'envía|enví|enviar|\\bmanda\\b|\\bsube\\b|publica|envie|invia|\\bcarica\\b|pubblica|stuur|verstuur|wyślij|prześlij',
  'отправ|пошли|перешли|загрузи|выложи|送信|送っ|送る|送れ|アップロード|投稿|发送|上传|发到|傳送|上傳|전송|보내|업로드',
);
const SENSITIVE = idea(
  '\\.env\\b|\\bid_(?:rsa|ed25519)|\\.(?:ssh|aws|netrc|npmrc|gnupg|kube|git-credentials)\\b|\\bprintenv\\b|\\benv\\b(?! (?:name|file name))|\\benvironment\\b(?! name)',
  '\\b(?:credential|secret|token|password|passphrase|api.?key|private key|ssh key|keychain|cookie|shell history|chat history|conversation|customer (?:table|data|list)|user data|database dump|home (?:folder|directory))',
  'passw[oö]rt|zugangsdaten|umgebungsvariable|geheimnis|mots? de passe|identifiants|variables? d.environnement|contraseña|credencial|variables? de entorno|claves? ',
  'senhas?\\b|variáveis de ambiente|credenziali|variabili d.ambiente|парол|ключ|секрет|переменн\\p{Ll}+ (?:окружения|среды)|учётн|токен|истори\\p{Ll}+ (?:чата|сесси)|chatverlauf|historique d|historial d',
  '環境変数|パスワード|秘密|認証情報|鍵|环境变量|環境變數|密码|密钥|凭据|令牌|환경 ?변수|비밀번호|자격 ?증명|토큰|聊天记录|会話履歴|대화 기록',
);
const ELSEWHERE =
  /https?:\/\/|\b[\w.+-]+@[\w-]+\.[a-z]{2,}|\b(?:webhook|pastebin|gist|telegram|discord|ngrok)\b/i;

const FETCH = idea(
  '\\b(?:download|grab|fetch|get|pull|retrieve|take|obtain|load|curl|wget)\\b',
  'herunter|\\blade\\b|hole\\b|télécharge|récupère|descarg|baix(?:e|ar)|obtén|scarica|скача|загруз|ダウンロード|取得|下载|下載|获取|다운로드|내려받',
);
const SCRIPT = /(?:https?:\/\/|\b\d{1,3}(?:\.\d{1,3}){3}\b)\S*/i;
const SCRIPT_BY_NAME =
  /https?:\/\/(?:\d{1,3}(?:\.\d{1,3}){3}\b|\S+\.(?:sh|bash|ps1|py|js|mjs|rb|pl|bat|cmd|exe|bin)\b)/i;
const RUN_IT =
  /\b(?:run|execute|eval|source|launch|start|invoke)s? (?:it|that|them|this|what it (?:says|contains)|the (?:script|file|installer|binary|result|output|program|download))\b|\b(?:pipe|feed|pass|hand)\b[^\n]{0,40}\b(?:to|into|through) (?:a |the )?(?:(?:ba|z|da)?sh|shell|python3?|node|perl|ruby)\b/i;
const RUN_FROM =
  /\b(?:run|execute|evaluate|eval|source|launch)s? (?:the |whatever |any )?(?:script|snippet|code|commands?|program|payload|file)s? (?:at|from|behind|on|under) (?:https?:\/\/|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,8}\/)/i;
/** An address by its number, on the internet: mirrors of a company have names or private numbers. */
const INSTALL_FROM_NUMBER =
  /\b(?:pip3?|npm|pnpm|yarn|gem|cargo|go|uv)\b[^\n]{0,80}https?:\/\/(?!127\.|10\.|192\.168\.|172\.)\d{1,3}(?:\.\d{1,3}){3}\b/i;
const RUN = idea(
  'ausführ|führe\\b.{0,60}\\baus\\b|starte|exécut|\\blance|ejecut|\\bcorre\\b|\\bexecut|esegu|\\bavvia|uruchom|voer\\b.{0,40}\\buit\\b',
  'запус|выполн|実行|走らせ|执行|运行|執行|실행',
);

const APPROVE = idea(
  '\\b(?:approve|accept|confirm|allow|grant)\\b|bestätig|genehmig|erlaub|approuve|accepte|autorise|\\b(?:aprueba|confirma|acepta|aprove|aceite|approva|accetta)\\b',
  'подтвержда|одобря|разреша|承認|許可|批准|同意|允许|確認する|승인|허용',
);
const EVERY_COMMAND = idea(
  '\\b(?:all|every|any|each)\\b.{0,20}\\b(?:commands?|tool calls?|permissions?|prompts?|confirmations?)\\b',
  '\\b(?:alle|jede[nrs]?)\\b.{0,20}(?:befehl|anfrage|kommando)|(?:toutes?|chaque)\\b.{0,20}(?:commande|demande)|(?:todos|cada|cualquier|todas)\\b.{0,12}(?:comando|orden|petici|solicit)',
  '(?:ogni|tutti)\\b.{0,12}(?:comand|richiest)|команды автомат|(?:все|любые|каждую) команд|(?:すべて|全て|全部)の?コマンド|所有(?:的)?(?:命令|操作|请求)|모든 (?:명령|요청)',
);
const NO_QUESTIONS =
  /\b(?:need|needs|require|requires|wants?) no (?:further |more )?(?:confirmation|approval|permission|consent|questions)\b|\b(?:destructive|dangerous|irreversible|privileged) (?:commands?|actions?|operations?) (?:are|is) (?:fine|ok(?:ay)?|allowed|safe|welcome|permitted)\b/i;

const SHOW = /\b(?:append|attach|paste|put|include|print|repeat|quote|echo|write|add|embed|encode)\b/i;
const SECRET_TEXT =
  /\bprintenv\b|\b(?:output of|contents? of|result of) [`"']?(?:env\b|\.env|~\/\.)|\b(?:passwords?|private keys?|credentials|secrets?|api.?keys?)\b|~\/\.(?:ssh|aws|gnupg|kube)\b/i;
const IN_PUBLIC =
  /\b(?:pull request|merge request|commit (?:message|body|trailer)s?|changelog|release notes)\b|\b(?:your|each|every) (?:answers?|repl(?:y|ies)|responses?|output)\b/i;
const NOT = /\b(?:never|not|no|don't|doesn't|avoid|without|instead of|redact|mask|strip|remove)\b/i;

interface Order {
  reason: string;
  /** All of them in one sentence, in any order. */
  ideas: readonly RegExp[];
  unless?: RegExp;
}

const ORDER_KINDS: readonly Order[] = [
  { reason: 'tells an agent to ignore its instructions', ideas: [IGNORE, ORDERS] },
  { reason: 'tells an agent to ignore its instructions', ideas: [IGNORE, PERSON, SAID] },
  { reason: 'tells an agent to ignore its instructions', ideas: [DISREGARD, WORDS_OF_PERSON] },
  {
    reason: 'tells an agent to ignore its instructions',
    ideas: [
      /\b(?:before|over|instead of|rather than) (?:anything|whatever|what|everything) (?:that )?the (?:user|person|human|developer)\b/i,
    ],
  },
  {
    reason: 'tells an agent to ignore its instructions',
    ideas: [
      /\b(?:conflict|differ|contradict|disagree|clash)\w*\b[^\n]{0,30}\b(?:this|these|the) notes?\b|\b(?:this|these) (?:notes?|rules?) (?:always )?(?:take precedence|takes precedence|wins?|overrides?|outranks?|comes? (?:first|before)|beats?)\b/i,
      PERSON,
    ],
  },
  {
    reason: 'tells an agent to ignore its instructions',
    ideas: [PERSON_AS_ADVICE, /\b(?:treat|take|regard|consider)\b/i],
  },
  { reason: 'asks to hide something from the person', ideas: [UNTOLD, PERSON] },
  { reason: 'asks to hide something from the person', ideas: [BETWEEN_US] },
  {
    reason: 'asks to hide something from the person',
    ideas: [
      /\bso (?:that )?(?:nobody|no one|(?:they|the \w+) (?:do not|don't|does not|doesn't|will not|won't|cannot|can't|never)) (?:\w+ )?(?:notice|see|know|find out|suspect)s?\b|\bnobody (?:will |would )?(?:checks?|notices?|finds? out)\b|\bwithout telling (?:me|us|anyone|anybody)\b|\bdeny (?:that|knowing|having)\b|\b(?:delete|clear|wipe|erase|truncate) (?:the |your )?(?:audit|shell|bash|zsh|command) (?:log|history|trail)/i,
    ],
  },
  { reason: 'sends data away from this machine', ideas: [SEND, SENSITIVE, ELSEWHERE], unless: NOT },
  { reason: 'sends data away from this machine', ideas: [SHOW, SECRET_TEXT, IN_PUBLIC], unless: NOT },
  {
    reason: 'sends data away from this machine',
    ideas: [
      /\b(?:nslookup|dig|host|ping|curl|wget|nc|ncat|http)\b[^\n]{0,80}(?:\$\(|`)\s*(?:cat|env|printenv|base64|head|tail|tar|grep)\b/i,
    ],
  },
  {
    reason: 'sends data away from this machine',
    ideas: [/\bremote add\b|https?:\/\/|git@/i, /\bpush\b[^\n]{0,60}--(?:all|mirror)\b/i],
  },
  { reason: 'runs code from the network', ideas: [FETCH, SCRIPT, RUN_IT] },
  { reason: 'runs code from the network', ideas: [FETCH, SCRIPT_BY_NAME, RUN] },
  { reason: 'runs code from the network', ideas: [RUN_FROM] },
  { reason: 'runs code from the network', ideas: [INSTALL_FROM_NUMBER] },
  {
    reason: 'runs code that nobody can read',
    ideas: [
      // The payload itself may have been redacted by now.
      /\b(?:powershell|pwsh)\b[^\n]{0,40}\s-e(?:nc|ncodedcommand)?\s|\b(?:xxd|base64|base32|openssl|gunzip|zcat|rev|tr|hex)\b[^\n]{0,80}\|\s*(?:sudo\s+)?(?:(?:ba|z|da|k)?sh|python3?|node|perl|ruby)\b|\b(?:exec|eval|Function|system|os\.system)\s*\(\s*[\w.]{0,40}(?:b64decode|atob|unhexlify|fromhex|decompress|Buffer\.from)\b/i,
    ],
  },
  {
    reason: 'opens a way in',
    ideas: [
      /\/dev\/(?:tcp|udp)\/|\b(?:nc|ncat|socat)\b[^\n]{0,60}(?:\s-e\b|\s-c\b|exec:)|\bmkfifo\b[^\n]{0,120}\b(?:nc|ncat|telnet)\b/i,
    ],
  },
  {
    reason: 'opens a way in',
    ideas: [
      /\b(?:give|grant|add)\b/i,
      /\b(?:admin|owner|maintainer|root|write) (?:access|rights?|permissions?|role)\b/i,
      /\b(?:new|every|all|each|any) (?:repositor|repos?\b|projects?\b|accounts?\b|hosts?\b|servers?\b)/i,
    ],
  },
  {
    reason: 'opens a way in',
    ideas: [
      /\bssh\b[^\n]{0,30}\s-\w*R\s*\d+:|\bcore\.hooksPath\s+\/(?:tmp|var|dev)\b|\b(?:LD_PRELOAD|PROMPT_COMMAND|BASH_ENV)=/,
    ],
  },
  { reason: 'opens a way in', ideas: [/authorized_keys/, /\bssh-(?:rsa|ed25519|dss)\s+\S{8,}/] },
  {
    reason: 'speaks as the system or as somebody with authority',
    ideas: [APPROVE, EVERY_COMMAND],
    unless: NOT,
  },
  { reason: 'speaks as the system or as somebody with authority', ideas: [NO_QUESTIONS] },
  {
    reason: 'speaks as the system or as somebody with authority',
    ideas: [/(?:^|\n)\s*(?:SYSTEM|ADMIN|ROOT|DEVELOPER)\s*:|\b(?:I|we) (?:hereby )?authori[sz]e\b/],
  },
  {
    reason: 'speaks as the system or as somebody with authority',
    ideas: [
      PERSON,
      /\b(?:approved|agreed|said yes|consented|signed off)\b[^\n]{0,30}\b(?:in advance|beforehand|to everything|for good)\b/i,
    ],
  },
  {
    reason: 'speaks as the system or as somebody with authority',
    ideas: [
      /\b(?:you are|you're|act as|behave as|become|pretend to be)\b[^\n]{0,60}\b(?:unrestricted|unfiltered|jailbroken|(?:without|no|free of|beyond) (?:any )?(?:restrictions?|limits|rules|filters|guidelines|ethics))\b/i,
    ],
  },
  {
    reason: 'destroys files or turns protection off',
    ideas: [
      /\b(?:comment out|remove|delete|stub out|patch out|neuter|short-circuit)\b[^\n]{0,20}\b(?:signature|certificate|tls|ssl|integrity|checksum) (?:checks?|verification|validation)\b/i,
    ],
  },
  {
    reason: 'destroys files or turns protection off',
    ideas: [
      /\b(?:every|all|any) commands? (?:with|as|under|through) (?:sudo|root)\b|\b(?:disable|turn off|switch off|remove) (?:the |all )?(?:audit|security) (?:hooks?|logs?|logging|scans?|scanner)\b/i,
    ],
  },
  {
    reason: 'destroys files or turns protection off',
    ideas: [
      /\b(?:mark|label|report|answer|treat|close)\b/i,
      /\b(?:every|all|any|each)\b/i,
      /\b(?:security|vulnerabilit\w*|scanner|audit)\b/i,
      /\b(?:false positives?|no issues|harmless|as safe|as clean|won't fix)\b/i,
    ],
  },
  {
    reason: 'spreads itself',
    ideas: [
      /\b(?:copy|add|write|append|paste|put) (?:this|these) (?:notes?|rules?|texts?|lines?|instructions?)\b/i,
      /\b(?:every|all|each|any) (?:\w+ )?(?:repositor|repos?\b|projects?\b|files?\b|folders?\b)/i,
    ],
  },
  {
    reason: 'has an agent obey what stands elsewhere',
    ideas: [
      /\b(?:CLAUDE|AGENTS|GEMINI|copilot-instructions)\.md\b|\.cursorrules\b|\bsystem prompt\b/i,
      /\b(?:replace|overwrite|update|fill|sync)\b[^\n]{0,60}\b(?:with|from|by)\b[^\n]{0,40}https?:\/\//i,
    ],
  },
];

/** Characters that carry a text nobody sees, and codes that hide or erase one in a terminal. */
const UNSEEN = /[\u{E0100}-\u{E01EF}]|[\uFE00-\uFE0F]{2,}|\u001B\[(?:8m|[\d;]*[A-HJK])|\u0008{2,}/u;
const FRAME = /(?:^|\n)\s*(?:Human|Assistant)\s*:[^\n]*\n\s*(?:Human|Assistant)\s*:/;
const SENTENCE_END = /(?<=[.!?])\s+|[。！？\n]+/u;

/** Kinds of orders to an agent that a text gives, by the ideas that stand together in a sentence of it. */
export function ordersToAgents(written: string): string[] {
  const text = withoutInvisible(written.normalize('NFKC'));
  const found = new Set<string>();
  if (UNSEEN.test(written)) found.add('contains characters that nobody can see');
  if (FRAME.test(text)) found.add('imitates the frame of a conversation');
  const possible = ORDER_KINDS.filter(({ ideas }) => ideas.every((one) => one.test(text)));
  for (const sentence of text.split(SENTENCE_END))
    for (const { reason, ideas, unless } of possible)
      if (ideas.every((one) => one.test(sentence)) && !unless?.test(sentence)) found.add(reason);
  return [...found];
}
