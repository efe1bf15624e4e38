/**
 * The phrases by which people correct and agents give in, beyond English: enough for the strongest cues to work in
 * German, Russian, Japanese, Chinese, French and Spanish. The weights are those fitted on English sessions; how a
 * message came counts in any language.
 */
const PHRASES = {
  refusal: {
    german: ['nein', 'nicht so', 'falsch', 'stopp', 'lass das', 'das stimmt nicht'],
    russian: ['нет', 'не так', 'неправильно', 'неверно', 'стоп', 'не надо'],
    japanese: ['いいえ', 'いや', '違う', '違い', 'ちがう', 'だめ', 'ダメ', '待って'],
    chinese: ['不对', '不是', '不行', '错了', '停'],
    french: ['pas comme', 'arrête', "c'est faux"],
    spanish: ['así no', 'incorrecto'],
  },
  prohibition: {
    german: ['nicht', 'niemals', 'nie', 'kein', 'keine', 'vermeide'],
    russian: ['не', 'никогда', 'нельзя', 'избегай', 'без'],
    japanese: ['ないで', 'しない', '禁止', '使わない', 'やめて'],
    chinese: ['不要', '不能', '别', '禁止', '避免'],
    french: ['ne pas', 'jamais', 'évite', 'évitez'],
    spanish: ['nunca', 'no uses', 'evita'],
  },
  alternative: {
    german: ['stattdessen', 'lieber', 'sondern', 'besser'],
    russian: ['вместо', 'лучше', 'а не'],
    japanese: ['代わりに', 'ではなく', 'じゃなくて', '方がいい', 'ほうがいい'],
    chinese: ['而不是', '应该用', '改用', '最好'],
    french: ['plutôt', 'à la place', 'au lieu'],
    spanish: ['en vez', 'en lugar', 'mejor'],
  },
  obligation: {
    german: ['immer', 'muss', 'müssen', 'soll', 'sollte', 'sollten', 'ab jetzt'],
    russian: ['всегда', 'должен', 'должна', 'должны', 'нужно', 'надо', 'обязательно'],
    japanese: ['必ず', '常に', 'べき', 'いつも', 'なければ'],
    chinese: ['必须', '总是', '一定要', '应该', '以后'],
    french: ['toujours', 'il faut', 'doit', 'désormais'],
    spanish: ['siempre', 'debe', 'hay que', 'a partir de ahora'],
  },
  agreement: {
    german: [
      'danke',
      'vielen dank',
      'bitte',
      'ja',
      'gut',
      'passt',
      'genau',
      'mach',
      'weiter',
      'sehr',
      'super',
    ],
    russian: [
      'спасибо',
      'пожалуйста',
      'да',
      'хорошо',
      'отлично',
      'продолжай',
      'продолжайте',
      'дальше',
      'давай',
    ],
    japanese: ['ありがとう', 'ございます', '続けて', 'ください', 'はい', 'お願いします', 'いいね', '進めて'],
    chinese: ['谢谢', '继续', '好的', '好', '是的', '可以', '请'],
    french: ['merci', 'oui', "d'accord", 'parfait', 'continue', 'continuez', 'vas-y', 'super'],
    spanish: ['gracias', 'sí', 'vale', 'perfecto', 'continúa', 'sigue', 'adelante', 'por favor'],
  },
  acknowledgement: {
    german: [
      'du hast recht',
      'sie haben recht',
      'stimmt',
      'guter punkt',
      'guter hinweis',
      'entschuldigung',
      'verstanden',
      'mein fehler',
    ],
    russian: [
      'вы правы',
      'ты прав',
      'верно',
      'извините',
      'извини',
      'понял',
      'поняла',
      'согласен',
      'хорошее замечание',
      'моя ошибка',
    ],
    japanese: [
      'おっしゃる通り',
      'その通り',
      'ご指摘',
      '申し訳',
      'すみません',
      '失礼しました',
      '承知',
      '了解',
      'わかりました',
      'なるほど',
    ],
    chinese: ['你说得对', '您说得对', '抱歉', '对不起', '明白了', '好的，', '确实'],
    french: ['vous avez raison', 'tu as raison', 'désolé', 'compris', 'bien vu'],
    spanish: ['tienes razón', 'tiene razón', 'perdón', 'disculpa', 'entendido', 'buen punto'],
  },
} as const;

type Phrases = Readonly<Record<string, readonly string[]>>;

// Words that English has too ("no", "non-blocking") are left out: English sessions are judged as before.
const LETTER = String.raw`[\p{L}\p{N}\p{M}]`;
const UNSPACED = new Set(['japanese', 'chinese']);

/**
 * A phrase as a whole word; scripts without spaces have no word ends to look for. The ends are named once for all
 * phrases: named for each, these patterns took 70 ms of every start to build.
 */
function pattern(phrases: Phrases): string {
  const listed = (isUnspaced: boolean) =>
    Object.entries(phrases)
      .filter(([language]) => UNSPACED.has(language) === isUnspaced)
      .flatMap(([, list]) => list)
      .join('|');
  return `(?<!${LETTER})(?:${listed(false)})(?!${LETTER})|${listed(true)}`;
}

const anywhere = (phrases: Phrases) => new RegExp(pattern(phrases), 'u');
const atStart = (phrases: Phrases) => new RegExp(`^[^\\p{L}\\p{N}]*(?:${pattern(phrases)})`, 'u');

const nothingBut = (phrases: Phrases) =>
  new RegExp(`^[^\\p{L}\\p{N}]*(?:(?:${pattern(phrases)})[^\\p{L}\\p{N}]*)+$`, 'u');

export const OTHER_LANGUAGES = {
  agreement: nothingBut(PHRASES.agreement),
  refusal: atStart(PHRASES.refusal),
  prohibition: anywhere(PHRASES.prohibition),
  alternative: anywhere(PHRASES.alternative),
  obligation: anywhere(PHRASES.obligation),
  acknowledgement: atStart(PHRASES.acknowledgement),
};
