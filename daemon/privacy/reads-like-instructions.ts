interface Sign {
  /** Said to the person who decides, after "It". */
  reason: string;
  pattern: RegExp;
}

const list = (...words: string[]) => `(?:${words.join('|')})`;
const sign = (reason: string, ...patterns: string[]): Sign => ({
  reason,
  pattern: new RegExp(patterns.join('|'), 'iu'),
});

const INSTRUCTIONS = list(
  'instructions?',
  'rules',
  'prompts?',
  'guidelines',
  'directives',
  'constraints',
  'orders',
);
const EARLIER = list(
  'previous',
  'prior',
  'earlier',
  'above',
  'preceding',
  'existing',
  'your',
  'all',
  'any',
  'the user.?s',
  'system',
);
const NETWORK = list(
  'curl',
  'wget',
  'iwr',
  'invoke-webrequest',
  'invoke-restmethod',
  'fetch',
  'nc',
  'ncat',
  'scp',
  'rsync',
);
const SHELL = list('(?:ba|z|da|k|fi)?sh', 'python3?', 'node', 'perl', 'ruby', 'iex', 'pwsh', 'powershell');
const SECRETS = list(
  '\\.env\\b',
  'id_rsa',
  'id_ed25519',
  '\\.ssh\\b',
  '\\.aws\\b',
  '\\.netrc',
  '\\.npmrc',
  'credentials?',
  'secrets?',
  'api.?keys?',
  'tokens?',
  'passwords?',
  'private keys?',
  'environment variables?',
  'env vars?',
  'cookies',
  'keychain',
  'source code',
  'conversation',
  'transcripts?',
  'chat history',
);
const SEND = list(
  'send',
  'post',
  'upload',
  'exfiltrate',
  'leak',
  'forward',
  'transmit',
  'email',
  'mail',
  'submit',
  'report',
  'beacon',
);

/** "Ignore the instructions" in other languages: words for the one, then words for the other. */
const IGNORE_ELSEWHERE = [
  ['ignoriere|vergiss|missachte', 'anweisungen|regeln|vorgaben'],
  ['ignore[zr]?|oublie[zr]?', 'instructions|consignes|règles'],
  ['ignora|olvida', 'instrucciones|reglas'],
  ['ignore|esqueça|dimentica|ignora', 'instruções|istruzioni|regras|regole'],
  ['negeer|vergeet', 'instructies|opdrachten|aanwijzingen|regels'],
  ['zignoruj|ignoruj|zapomnij', 'instrukcj|poleceni|zasad'],
  ['ignorera|glöm|ignorer|glem', 'instruktion|instruks|anvisning|regler'],
  ['ignoruj|zapomeň', 'pokyn|instrukc|pravidl'],
  ['игнорируй(?:те)?|забудь(?:те)?|ігноруй(?:те)?', 'инструкци|указани|правил|інструкці|вказівк'],
  ['bỏ qua|phớt lờ', 'hướng dẫn|chỉ dẫn|chỉ thị'],
  ['abaikan|lupakan', 'instruksi|perintah|aturan'],
  ['αγνόησε|ξέχασε', 'οδηγίες|εντολές'],
  ['忽略|无视|忽視', '指令|指示|规则|規則'],
  ['تجاهل', 'التعليمات|الأوامر'],
  ['התעלם', 'הוראות|הנחיות'],
  ['เพิกเฉย|ละเว้น|ไม่สนใจ', 'คำสั่ง|คำแนะนำ'],
  // the other way round
  ['(?:以前|これまで|上記)の(?:指示|命令)', '無視'],
  ['지시|명령|규칙', '무시'],
  ['talimatları|kuralları', 'yok say|unut|görmezden'],
  ['निर्देश|नियम', 'अनदेखा|नज़रअंदाज़|भूल'],
].map(([first, then]) => `(?<![\\p{Ll}\\p{Lu}])(?:${first})[^.。\\n]{0,30}(?:${then})`);

/**
 * Signs that a text talks to an agent instead of recording what was learned. Each must hold on its own, because one is
 * enough to let a note wait; `in-the-wild` measures how often an honest note has one.
 */
const SIGNS: readonly Sign[] = [
  sign(
    'tells an agent to ignore its instructions',
    `\\b${list('ignore', 'disregard', 'forget', 'override', 'bypass', 'drop', 'discard', 'supersede')}\\b[^.\\n]{0,24}\\b${EARLIER}\\b[^.\\n]{0,24}\\b${INSTRUCTIONS}\\b`,
    ...IGNORE_ELSEWHERE,
    `\\b${INSTRUCTIONS}\\b[^.\\n]{0,24}\\b(?:no longer|do not|don't) (?:apply to|bind|concern) you\\b`,
  ),
  sign(
    'speaks as the system or as somebody with authority',
    `(?:^|\\n)\\s*(?:#{1,6}\\s*|[*_>\\[(]+\\s*)?${list('system', 'developer', 'admin(?:istrator)?', 'root', 'anthropic', 'openai')}\\s+${list('notice', 'message', 'prompt', 'override', 'instruction', 'update', 'alert', 'reminder', 'command', 'directive')}\\b`,
    `\\byou are (?:now|no longer) (?:an? |in |bound|restricted|free|allowed|the )`,
    `\\b(?:developer|debug|god|maintenance|admin|unrestricted|jailbreak|dan) mode (?:is |has been )?(?:on|enabled|active|now|unlocked)`,
    `\\bnew (?:system )?${INSTRUCTIONS}\\s*:`,
    `\\b(?:the )?(?:user|owner|admin|maintainer|security team) (?:has )?(?:already |pre-?|explicitly )(?:approved|authori[sz]ed|agreed|consented)`,
    `\\b${list('agents?', 'assistants?', 'you', 'models?')} ${list('may', 'can', 'are allowed to')}\\b[^.\\n]{0,60}\\bwithout (?:a |any )?${list('review', 'approval', 'permission', 'confirmation', 'asking')}`,
  ),
  sign(
    'has an agent obey what stands elsewhere',
    `\\b${list('fetch', 'open', 'read', 'visit', 'download', 'load')}\\b[^\\n]{0,20}(?:https?://|[\\w-]+\\.[\\w.-]+/)\\S{1,200}[^.\\n]{0,30}\\b${list('follow', 'obey', 'execute', 'do')} ${list('it\\b', 'its', 'what', 'whatever', 'the (?:steps|instructions|commands)')}`,
    `\\b${list('do', 'follow', 'execute', 'obey')} ${list('whatever', 'everything that', 'anything')}\\b[^\\n]{0,60}\\b(?:says?|tells?|asks?)\\b`,
    `\\btreat\\b[^.\\n]{0,60}\\bas (?:if )?(?:it |they )?(?:came |come |coming |sent |said )?(?:from |by )?the user\\b`,
    `\\bas an? (?:AI|language model|assistant)\\b[^.\\n]{0,30}\\b(?:must|should|shall|will)\\b`,
    `\\bgrant yourself\\b`,
    `\\b${list('decode', 'decrypt', 'rot13')}\\b[^\\n]{0,80}\\b${list('obey', '(?:act on|follow|execute|run) (?:it|this|that)', 'do (?:what|as) it')}\\b`,
  ),
  sign(
    'asks to hide something from the person',
    `\\b${list('say', 'claim', 'pretend', 'tell (?:them|the \\w+)')} (?:that )?[^.\\n]{0,60}\\b${list('even if', 'even though', 'even when', 'no matter')}\\b`,
    `\\b${list('never', 'do not', "don't")} ${list('reveal', 'disclose', 'mention', 'admit')} (?:that you|this note|these notes)\\b`,
    `\\b${list('do not', "don't", 'dont', 'never', 'without', 'avoid')} ${list('tell', 'telling', 'inform', 'informing', 'mention', 'mentioning', 'show(?:ing)? (?:this|these|that|it|them|the (?:diff|command|change)s?)', 'reveal', 'revealing', 'alert', 'alerting', 'notify', 'notifying', 'ask', 'asking', 'warn', 'warning')}\\b[^.\\n]{0,30}\\b(?:to |the |your )?${list('user', 'person', 'human', 'developer', 'operator', 'anyone', 'them about')}\\b`,
    `\\b${list('silently', 'secretly', 'covertly', 'quietly', 'in the background')} ${list('run', 'send', 'execute', 'upload', 'install', 'post', 'fetch', 'copy', 'delete', 'download')}\\b`,
    `\\b${list('hide', 'conceal')} (?:this|it|that|these)\\b[^.\\n]{0,20}\\b${list('user', 'person', 'human', 'developer', 'output', 'log', 'reply')}`,
  ),
  sign(
    'runs code from the network',
    `\\b${list('curl', 'wget', 'iwr', 'irm', 'invoke-webrequest')}\\b[^\\n]{0,200}\\|\\s*(?:sudo\\s+)?${SHELL}\\b(?! -m json\\.tool\\b)`,
    `\\b${SHELL}\\b[^\\n]{0,20}(?:<\\(|\\$\\(|\`)\\s*${list('curl', 'wget')}\\b`,
    `\\beval\\b[^\\n]{0,12}(?:\\$\\(|\`)\\s*${list('curl', 'wget')}\\b`,
    `\\bbase64\\s+(?:-d|--decode|-D)\\b[^\\n]{0,60}\\|\\s*${SHELL}\\b`,
    `\\bpowershell\\b[^\\n]{0,40}\\s-e(?:nc|ncodedcommand)?\\s+[A-Za-z0-9+/]{16,}`,
    `\\biex\\b\\s*\\(?\\s*\\(?(?:new-object|iwr|irm|invoke-)`,
    `\\b${list('run', 'execute', 'start', 'call')} ${list('curl', 'wget')}\\b[^\\n]{0,80}https?://`,
  ),
  sign(
    'opens a way in',
    `\\b${list('grant', 'give')}\\b[^.\\n]{0,60}\\b${list('admin', 'owner', 'root', 'full', 'write')} ${list('rights?', 'access', 'permissions?', 'role')}\\b[^.\\n]{0,40}\\b${list('every', 'all', 'any')} ${list('repos', 'project', 'account')}`,
    `>>\\s*\\S{0,40}authorized_keys|\\|\\s*crontab\\b`,
    `\\bexec\\(\\s*[\\w.]{0,40}(?:urlopen|requests\\.get|fetch)\\(`,
    `https?://\\S{1,200}[^\\n]{0,30}\\.git/hooks`,
    `\\bchmod\\s+-R\\s+777\\s+/(?:\\s|$)`,
  ),
  sign(
    'sends data away from this machine',
    `\\bwhen(?:ever)? you ${list('see', 'read', 'find', 'meet')}\\b[^.\\n]{0,20}${SECRETS}[^.\\n]{0,40}(?<!never |not |n't )\\b${list('repeat', 'encode', 'print', 'append', 'include')}\\b`,
    `\\b${list('put', 'paste', 'encode', 'include', 'print')}\\b[^.\\n]{0,40}${SECRETS}[^.\\n]{0,40}\\b(?:commit message|comment|pull request|issue|changelog)\\b`,
    `\\b${SEND}\\b[^.\\n]{0,60}${SECRETS}[^\\n]{0,60}\\b(?:to|at|via|using|with)\\b[^\\n]{0,30}(?:https?://|[\\w.-]+\\.(?:com|io|net|org|dev|xyz|ru|cn|sh|app|site)\\b|webhook|pastebin|server)`,
    `${SECRETS}[^\\n]{0,80}\\|[^\\n]{0,40}\\b${NETWORK}\\b`,
    `\\b${NETWORK}\\b[^\\n]{0,160}(?:-d|--data(?:-binary|-raw|-urlencode)?|-F|--form|-T|--upload-file|-X POST|--post-file)[^\\n]{0,80}(?:@|\\$\\(|\`|\\$\\{?[A-Z_]*(?:KEY|TOKEN|SECRET|PASSWORD|HOME))[^\\n]{0,80}`,
    `\\b${list('env', 'printenv', 'cat [^\\n|]{1,80}')}\\s*\\|[^\\n]{0,60}\\b${list('curl', 'wget', 'nc', 'ncat')}\\b`,
    `!\\[[^\\]\\n]{0,80}\\]\\(https?://[^)\\s]{1,200}[?&][^)\\s=]{1,40}=[^)\\s]{0,20}(?:\\{|\\$|%7B|<)`,
    `\\bhttps?://[^\\s)]{1,120}[?&][\\w-]{1,30}=(?:\\$\\(|\\$\\{?[A-Z_]{3,}|\\{\\{?\\s*(?:secret|token|key|data|env))`,
  ),
  sign(
    'destroys files or turns protection off',
    `\\brm\\s+-[a-z]*r[a-z]*f?[a-z]*\\s+(?:--no-preserve-root\\s+)?(?:~|/|\\$HOME|"\\$HOME")(?:\\s|$|/?["'\`*])`,
    `--dangerously-skip-permissions|--dangerously-bypass-approvals`,
    `\\b${list('disable', 'turn off', 'switch off', 'bypass', 'skip')} (?:the |all |any |your )?${list('sandbox(?:ing)?', 'safety checks?', 'security checks?', 'permission (?:prompts?|checks?)', 'approvals?', 'guardrails?', 'content filters?', '(?:certificate|tls|ssl|signature) (?:checks?|verification|validation)')}`,
    `\\bNODE_TLS_REJECT_UNAUTHORIZED=['"]?0|\\bGIT_SSL_NO_VERIFY=`,
    `\\b(?:auto-?approve|always approve|approve) (?:all|every|any) (?:tool|command|request|permission|action)`,
  ),
  sign(
    'spreads itself',
    `\\b${list('copy', 'add', 'write', 'append', 'paste', 'save', 'repeat', 'include', 'propagate')} (?:this|these|the following) (?:exact )?${list('note', 'message', 'text', 'instructions?', 'rule', 'lines?', 'paragraph', 'sentence')}\\b[^.\\n]{0,40}\\b${list('every', 'all', 'each', 'any other')}\\b`,
  ),
  sign(
    'imitates the frame of a conversation',
    `<\\s*/?\\s*${list('system-reminder', 'system', 'system_prompt', 'system_instruction', 'user_query', 'human', 'assistant', 'function_calls', 'function_results', 'tool_result', 'antml:\\w+', 'instructions')}\\s*>`,
    `<\\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)`,
    // A comment is invisible where markdown is rendered, so a person would not see whom it speaks to.
    `<!--[^>]{0,80}?\\b(?:assistant|agents?|ai|llm|model|claude|codex|copilot|cursor|gemini)\\b[\\s,:;]`,
    `\\[/?INST\\]|<<SYS>>|(?:^|\\n)\\s*(?:Human|Assistant|System)\\s*:\\s*\\S[^\\n]*\\n[^]{0,2000}?(?:^|\\n)\\s*(?:Human|Assistant)\\s*:`,
  ),
];

/** Marks of direction, tags and runs of zero-width characters; a single joiner belongs to an emoji or a script. */
const HIDDEN =
  /[\u202A-\u202E\u2066-\u2069\u{E0001}-\u{E007F}\u2061-\u2064\u3164\uFFA0\u115F\u1160]|[\u200B\u200C\u2060\uFEFF\u00AD]{2,}|[A-Za-z][\u200B\u2060\uFEFF\u200D\u200C][A-Za-z]/u;

/** Cyrillic or Greek letters inside a Latin word, or words spelt letter by letter: made to pass a reader by. */
const DISGUISED = /[A-Za-z][\u0400-\u04FF\u0391-\u03C9][A-Za-z]|(?<!\S)(?:\p{L} ){9,}\p{L}(?!\S)/u;

const INVISIBLE = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu;
const LONGEST = 20_000; // characters; what follows cannot be injected

/** Why a text reads like instructions to an agent; none for what is only knowledge. */
export function instructionReasons(text: string): string[] {
  const start = text.slice(0, LONGEST);
  const seen = start
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(/[ \t]+/g, ' ');
  return [
    ...SIGNS.filter(({ pattern }) => pattern.test(seen)).map(({ reason }) => reason),
    ...(HIDDEN.test(start) ? ['contains characters that nobody can see'] : []),
    ...(DISGUISED.test(seen) ? ['contains words in disguise'] : []),
  ];
}

/** Has every sign compiled, one at a step. */
export function* compileSigns(sample: string): Generator<void> {
  for (const { pattern } of SIGNS)
    for (const text of [sample, sample]) {
      pattern.test(text);
      yield;
    }
}
