import { isDrawn, looksRandom } from './looks-random.ts';
import { IS_ID, type Rule } from './rule.ts';

/**
 * How services begin their tokens, which they do so that scanners like this one find them. From their own documentation
 * and the prefixes gitleaks knows; kept as a table, for no maintained package of rules is quick and synchronous enough
 * to run on everything that is captured.
 */
const BEGINNINGS = [
  'xapp-\\d-[A-Z0-9]{8,}-',
  'gl(?:dt|rt|ptt|cbt|imt|ft|soat|agent)-',
  'do[opr]_v1_',
  'shp(?:at|ca|pa|ss)_',
  'lin_(?:api|oauth)_',
  'ntn_',
  'ops_eyJ',
  'glc_eyJ',
  'glsa_',
  'dckr_[op]at_',
  'hv[sbr]\\.',
  'figd_',
  'gsk_',
  'xai-',
  'pplx-',
  'r8_',
  'sbp_',
  'sb_secret_',
  'pscale_(?:tkn|pw|oauth)_',
  'sntry[su]_',
  'NRAK-',
  'rubygems_',
  'CLOJARS_',
  'AT(?:ATT|CTT)3',
  'sq0(?:csp|atp)-',
  'EZ[AT]K',
  'PMAK-',
  'pul-',
  'dp\\.(?:pt|st|ct|sa|scim|audit)\\.',
  'fm[12]_',
  'nfp_',
  'rnd_',
  'tfp_',
  'pnu_',
  'lsv2_(?:pt|sk)_',
  'AGE-SECRET-KEY-1',
  'duffel_(?:test|live)_',
  'ico-',
  'rdme_',
  'nsec1',
  'xprv',
  'fio-u-',
  'tskey-[a-z]{3,8}-',
  'bk(?:ua|ct|at|pt)_',
  'CCI(?:PAT|PRJ)_',
  'ATBB',
  'fo1_',
  'AKCp',
  'EAA[A-Z]',
  'FwoGZXIvYXdz',
  'IQoJb3JpZ2lu',
  'LTAI',
  'nvapi-',
  'tvly-',
  'pcsk_',
  'jina_',
  'e2b_',
  'rpa_',
  'signkey-[a-z]{2,10}-',
  'amzn\\.mws\\.',
  'access_token\\$',
  'SWMTKN-1-',
  'sgp_',
  'xoxe\\.xox[bp]-',
  'tgp_v1_',
  'sq[pua]_',
  'csk-',
  'fw_',
  'phx_',
  'napi_',
  'vercel_blob_rw_',
  'xkeysib-',
  'CFPAT-',
  'hcaik_',
  'sl\\.(?:u\\.|B)',
  'gAAAAA',
  'cmVmdGtu',
  'SK[0-9a-f]{12}',
  'pat[A-Za-z0-9]{14}\\.',
  // Discord: an id in base64, which begins with one of these three letters, and a time
  '[MNO][A-Za-z0-9_-]{23,25}\\.[\\w-]{6}\\.',
];

/**
 * Shapes without a beginning of their own, or with one too short to tell: a part that only they have, and the shape.
 */
const WHOLE: ReadonlyArray<[part: string, shape: string]> = [
  ['sg.', 'SG\\.[\\w-]{16,32}\\.[\\w-]{16,}'],
  ['key-', 'key-[0-9a-f]{32}'],
  ['dapi', 'dapi[0-9a-f]{32}'],
  ['secret_', 'secret_[A-Za-z0-9]{43}'],
  [':aa', '(?:bot)?\\d{8,10}:AA[\\w-]{33}'],
  ['.atlasv1.', '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{40,}'],
  ['/api/webhooks/', 'discord(?:app)?\\.com/api/webhooks/\\d{10,}/[\\w-]{40,}'],
  ['key=', '(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,}={0,2}'],
  ['q~', '[\\w~.]{3}\\dQ~[\\w~.-]{31,34}'],
  ['eaaa', 'EAAA[\\w-]{55,}'],
  ['pat-', 'pat-(?:na|eu)\\d-[0-9a-f-]{36}'],
  ['sk.eyj', 'sk\\.eyJ[\\w-]{40,}\\.[\\w-]{16,}'],
  ['-us1', '[0-9a-f]{32}-us1\\d?\\b'],
  ['-us2', '[0-9a-f]{32}-us2\\d?\\b'],
  [':apa91b', 'AAAA[\\w-]{7}:APA91b[\\w-]{100,}'],
];

/** Secret wherever they stand. */
export const SERVICE_SECRETS: readonly Rule[] = WHOLE.map(([part, shape]) => ({
  kind: 'service token',
  needs: [part],
  pattern: new RegExp(`\\b${shape}`, 'g'),
}));

/** Secret if what follows its beginning looks drawn: `xai-settings-of-the-page` is a name. */
export const SERVICE_TOKEN: Rule = {
  kind: 'service token',
  needs: ['-', '_', '.', 'k', 'a', '$'],
  pattern: new RegExp(`(\\b)((?:${BEGINNINGS.join('|')})[A-Za-z0-9_.=+/-]{20,})`, 'g'),
  isSecret: looksRandom,
};

/**
 * A long run that only a generator writes, with or without a short word before it: a service we do not know. Capitals,
 * small letters and digits must be mixed, because hashes and names of files begin the same way.
 */
export const UNKNOWN_TOKEN: Rule = {
  kind: 'service token',
  needs: ['-', '_', ' ', '"', '\n'],
  pattern:
    /((?<![\w/+=.%#$:-])(?=[A-Za-z\d][\w-]{27})(?<!(?:[iI][dD]|[aA]ddress|[tT]humbprint|ed25519|[kK]ey|KEY|"[a-z])s?["'`:]{0,2}[ :=]?["'`]?))([A-Za-z\d][\w-]{27,200})(?![\w/+=.(-])/g,
  isSecret: (value) => {
    const [, tail = ''] = /^[A-Za-z][A-Za-z\d]{1,7}[_-](.*)$/.exec(value) ?? [];
    if (IS_ID.test(value)) return false;
    return tail
      ? isDrawn(tail)
      : /^(?!0x)[A-Za-z\d]{32,63}$/.test(value) &&
          /[A-Z]/.test(value) &&
          /[a-z]/.test(value) &&
          looksRandom(value) &&
          isDrawn(value);
  },
};
