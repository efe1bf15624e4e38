/** Digits and signs that stand for letters: `P4ssw0rd`, `Adm1n$tr8r`. */
const STANDS_FOR: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/**
 * Three letters in a row as words of prose and code have them, learned from real sessions. By the first letter; each
 * capital is a second letter, and the small ones after it are the third.
 */
const TRIPLES: Readonly<Record<string, string>> = {
  a: 'BabeilosCcehikqtyDadeijlosvyFeftGaegimnrsIdlmnrtJoKdeisLacefiklopstuwyMbeilmopsNacdegiknostuyzPaehipstRabcdegiklmnorstyScehiknopstuyTacefhiostuUdglnstVaeioWanYbeils',
  b: 'AcdglnrstBiCoDiEcdghlnrstFoIglntJeKeLeioyMiOadlnorstuxPrRaeioSeotTaerUcfgilmntYept',
  c: 'AbcflmnprstuvCeiouEdefilmnprsHaeimnoruIabdefnprstKaefilnopsuwyLaeiouOdeghlmnoprsuvQuRaeioyTaeilosuUlmrstYc',
  d: 'AbclmnprstyCoDeilrEabcdeflmnoprstvxGeIacdefgmnorstvLeiyOcegmntuwPoRaeioUaclprVaYn',
  e: 'AcdklmnrstvBauCaehiklortuDadegilsuEdklmnprstFaefilrstuGaeimorHaeoIgnrtvJeLadefilopstyMabeiopsuNacdefghiorstuvOfruPaeilorstuQuRabcdefghilmnoprstvwyScehiopstuTacehirstuwUesVaeioWaehiloprsXacehiptYbepsw',
  f: 'AciklsuEacerstwFeilosIceglnrtxLaeiouOcloruRaeioSeTesUlnsYi',
  g: 'AinprtEdlmnrstxFuGeilrHelotIcdelnstvLeoMaeNaeimosOcimoprstvRaeioSiUaeimr',
  h: 'AbdilnprstuvEacdeilmnrstIcdefglmnpstvLiMeNiOdilmnorstuwReoTelsUmnrYps',
  i: 'AbglnstBeilruCaehikostuDadeinsuxEdflnrsvwFaefityGaeghinruKeLadeilnstuyMaeimpsuNacdefghijklnopstuvOdlmnruPaeghilpstQuRceimorstSacefhikmopstuTacefhilorstuyVaeiXetZaei',
  j: 'EcObirSoUs',
  k: 'AgrDioEdelnprstyFilIlnpNoOuPoSpTrUpWa',
  l: 'AbcgimnprstuwyzBaCuDeinsEacdfglmnrstvxIabcdefgkmnpstvzKsLabeimosuyOabcgnoprstuwyPehSeTaehisUadegmrstVeiWaYiz',
  m: 'AcgijklnprstxyBeiloEacdlmnorstwIcdglnrstxzLeiMaeiouOcdjnrstuvPaeilorstuUlmtx',
  n: 'AbgilmnprtvBoCaehilortuyDaeilopsEacdefilnrstvwxFeilouGefilosuHaeIceflmnopqstxzJeKeisLioyMaeoNeioOdilmnorstuwPaiuReioSacefhioptuwTaehilorsuUaeilmstVaeioWarYmwZa',
  o: 'AcdrBajlsCacehikotuDadeiosuEsxFfitGginorsyHeIcdnszJeiKeisuLadeilosuvMabeilmopNacdefgilmnostuvOdklnprstPaeioprstuyRabcdegikmoprstySaeistuTaehiostUbcglnprstVaeiWaeilnsXiYm',
  p: 'AbcginrstwyDaEacdenorstGrHaeisyIcdelnprtKgLaeiosuyOilnprstuwPeilorRaeiouSehiTaeiosuyUblrstYt',
  q: 'Uaeio',
  r: 'AbcdfgilmnprstvyBaioCaehilDeilsEabcdefghijklmnpqrstuvwFaeoGaeiosuIabcdefglmnopstvzKadefistLaeiyMaeisuNaeisOabcdfgijklmnoprstuvwxPhorRaeiouSacehiotTacehisuyUbclmnpsVaeiWairYip',
  s: 'AbcfglmnrtvyCaehioruEacdeglmnpqrstvFiouHaeioIbcdeglmnorstvzKeisyLaeioyMaioNaiOcflmnruPaeiloQuSaefiouwTadehiorsuyUabcefgilmprWeioYmns',
  t: 'AbcgiklmnrstyChouDioEacdeglmnprsxFioHaeimorsIabcdefglmnoprstvzLeiyMaNeOdgklmnoprtuPuRaeiouySetTaeiorUabinprtWeoYlp',
  u: 'AglrstBacdfjklmprstCcehiktDegiEdnrsuFfGghiIcdlnrstLadeltMabeimnpsuNabcdefiklmnprstwOtuPdeglpstRacefilnprsvSaehilstTacdehiopstu',
  v: 'AbgilnrtuEacdlmnrsIacdegnorstvOcikl',
  w: 'AilnrstyEdeirsHaeioIdlnprtLeiNelsOnruRaio',
  x: 'AcmCehlEcdrsHaIbmnstPaeiloTersu',
  y: 'AbBoClEdrsInLeoMbeloNacOnuPaehiotRiSitTehWhoZe',
  z: 'AtEdrsIn',
};

const KNOWN = new Set(
  Object.entries(TRIPLES).flatMap(([first, rest]) =>
    Array.from(rest.matchAll(/([A-Z])([a-z]+)/g), ([, second = '', thirds = '']) =>
      [...thirds].map((third) => first + second.toLowerCase() + third),
    ).flat(),
  ),
);

/** How much of the letters of a value lies in triples that words have: of words nearly all, of drawn values few. */
export function shareOfWords(value: string): number {
  let [letters, known] = [0, 0];
  for (const piece of value.toLowerCase().split(/[^a-z]+/)) {
    letters += piece.length;
    let end = 0; // of what is known so far
    for (let at = 0; at + 3 <= piece.length; at++) {
      if (!KNOWN.has(piece.slice(at, at + 3))) continue;
      known += at + 3 - Math.max(at, end);
      end = at + 3;
    }
  }
  return letters === 0 ? 0 : known / letters;
}

/** A letter, one or two digits that stand for letters, and a letter. */
const DIGIT_INSIDE = /[a-z](?:[013457]|00)[a-z@$]/i;

/** Too short to be told by their letters, and chosen often. */
const SHORT = /p[4@]ss|p[a4@]ssw0|(?<![a-z])(?:k3y|r00t)|k3y(?![a-z])|(?<=[a-z])K3y|adm[1!]n|s3cr/i;

/**
 * True for a word that is written with digits in the place of letters, as nobody writes but to choose a password:
 * `m0nkey`, but not `log4j`, `base64url` or a hash.
 */
export function isSpeltWithDigits(value: string): boolean {
  if (SHORT.test(value)) return true;
  // a hash, a constant, `rotate3d`
  if (!DIGIT_INSIDE.test(value) || /^[\da-f]+\W*$|^[a-z]+[1-4][dabl]$/i.test(value)) return false;
  if (/^[A-Z\d]+(?:_[A-Z\d]+)+$/.test(value)) return false;
  // A number ends a word of code: `checkpoint1ID`.
  const ends = /[a-z]/.test(value) ? /[^A-Za-z\d@$!]+|(?<=[a-z\d])(?=[A-Z])/ : /[^A-Za-z\d@$!]+/;
  return value.split(ends).some(isSpeltPiece);
}

function isSpeltPiece(piece: string): boolean {
  const core = piece.replace(/[\d!@$]+$/, '').toLowerCase();
  if (core.length < 5 || !/^[a-z]/.test(core) || !DIGIT_INSIDE.test(core) || /[2689]/.test(core))
    return false;
  return ['i', 'l'].some((one) =>
    isSpoken(core.replace(/[\d@$!]/g, (sign) => (sign === '1' ? one : (STANDS_FOR[sign] ?? sign)))),
  );
}

/** One triple may be unknown in a word of six letters or more. */
function isSpoken(word: string): boolean {
  let unknown = 0;
  for (let at = 0; at + 3 <= word.length; at++) if (!KNOWN.has(word.slice(at, at + 3))) unknown++;
  return unknown <= (word.length >= 6 ? 1 : 0);
}
