/** Base forms of verbs whose participle does not end in -ed, as agents and people use them of their work. */
const IRREGULAR: Readonly<Record<string, string>> = {
  been: 'be',
  built: 'build',
  caught: 'catch',
  chosen: 'choose',
  done: 'do',
  found: 'find',
  given: 'give',
  gone: 'go',
  had: 'have',
  held: 'hold',
  kept: 'keep',
  known: 'know',
  left: 'leave',
  made: 'make',
  put: 'put',
  read: 'read',
  run: 'run',
  said: 'say',
  seen: 'see',
  sent: 'send',
  set: 'set',
  shown: 'show',
  taken: 'take',
  told: 'tell',
  thought: 'think',
  understood: 'understand',
  written: 'write',
};
/** Verbs that end in -e lose it before -ing and -ed. */
const SILENT_E = new RegExp(
  `(?:${[
    'us|reus|mak|tak|giv|hav|leav|mov|remov|chang|writ|rewrit|includ|exclud|ensur|merg|handl|stor|pars|delet|replac|renam',
    'resolv|caus|sav|shar|clos|compar|combin|configur|defin|determin|enabl|disabl|execut|expos|ignor|invok|produc|provid',
    'rais|releas|requir|retriev|serv|solv|wir|hid|reduc|introduc|trac|schedul|prepar|believ|receiv|observ',
    '[a-z]+(?<!tre|repe|form|flo)at|[a-z]+[iy]z|[a-z]+is',
  ].join('|')})$`,
);
const DOUBLED = /([bdgmnprt])\1$/;

/** "written" → "write", "checked" → "check": the form that a rule begins with. */
export const baseOfParticiple = (word: string): string =>
  IRREGULAR[word] ?? (word.endsWith('ied') ? `${word.slice(0, -3)}y` : baseOf(word.replace(/ed$/, '')));

/** "using" → "use", "adding" → "add". */
export const baseOfGerund = (word: string): string => baseOf(word.replace(/ing$/, ''));

function baseOf(stem: string): string {
  if (SILENT_E.test(stem)) return `${stem}e`;
  return DOUBLED.test(stem) && !/(?:add|err)$/.test(stem) ? stem.slice(0, -1) : stem;
}
