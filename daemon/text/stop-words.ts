/** Words that carry no meaning of their own, by language. */
const STOP_WORDS = {
  english: `a about after all also am an and any are as at be been before but by can could did do does doing down for
    from get had has have having he her here him his how i if in into is it its just me more most my no nor not now of
    off on once only or other our out over own same she should so some such than that the their them then there these
    they this those through to too under until up us very was we were what when where which while who whom why will
    with would you your`,
  german: `aber alle als also am an auch auf aus bei bin bis bist da damit dann das dass dein dem den denn der des dich
    die dies diese diesem diesen dieser dieses doch du durch ein eine einem einen einer eines er es für hat hatte
    hier ich ihr im in ist ja jede jeder kann kein keine können man mein mich mir mit nach nicht noch nur oder ohne
    schon sein sich sie sind so soll sollte sondern über um und uns unser unter vom von vor war warum was weil welche
    wenn wer werden wie wir wird wo zu zum zur`,
  french: `à au aux avec ce ces cette comment dans de des donc du elle en est et être il ils je la le les leur lui ma
    mais me mes moi mon ne nos notre nous on ou où par pas plus pour pourquoi qu quand que quel quelle qui sa sans se
    ses si son sont sur ta te tes toi ton tu un une vos votre vous`,
  spanish: `a al ante como con cual cuando de del desde donde el ella ellos en entre era es esa ese eso esta está este
    esto la las le lo los más me mi muy ni no nos nuestro o para pero por porque puede que qué se ser si sí sin sobre
    son su sus también te tu un una uno y ya yo`,
  russian: `а без бы был была были было быть в вам вас весь во вот все всё вы где да для до его ее её если есть еще ещё
    же за и из или им их к как какой когда кто ли мне мой мы на над надо нам нас не него нет ни но ну о об он она они
    оно от по под почему при с свой сейчас со так такой там то тоже только ты у уже чем что чтобы это этого этот эту я`,
  chinese: `的 了 是 在 和 与 及 我 你 您 他 她 它 我们 你们 他们 这 那 这个 那个 这些 那些 请 就 都 也 很 吗 呢 吧 把 被 让
    到 从 对 为 为了 因为 所以 什么 怎么 如何 哪 哪里 一个 中 上 下`,
} as const;

const LISTS = Object.values(STOP_WORDS).map((words) => new Set(words.split(/\s+/)));
const ENGLISH = new Set(STOP_WORDS.english.split(/\s+/));
const LEAST_SEEN = 2; // words: English has a "die" and a "pour" of its own

export const isStopWord = (word: string): boolean => ENGLISH.has(word);

/**
 * The stop words of the language these words are most likely in: English, unless another language has more of its own.
 * Words that two languages share speak for neither.
 */
export function stopWordsFor(words: readonly string[]): ReadonlySet<string> {
  const distinct = [...new Set(words)];
  const count = (list: ReadonlySet<string>, other: ReadonlySet<string>) =>
    distinct.filter((word) => list.has(word) && !other.has(word)).length;
  let [best, most] = [ENGLISH, LEAST_SEEN - 1];
  for (const list of LISTS) {
    const own = count(list, ENGLISH);
    if (own > most && own > count(ENGLISH, list)) [best, most] = [list, own];
  }
  return best;
}

const MOSTLY = 0.8; // of the letters

/** True for a text that is likely English. One without a word of any language, such as a command, counts as English. */
export function isEnglish(words: readonly string[]): boolean {
  const letters = words.join('').replace(/[^\p{L}]/gu, '');
  const ascii = letters.replace(/[^a-z]/g, '').length;
  return ascii >= letters.length * MOSTLY && stopWordsFor(words) === ENGLISH;
}
