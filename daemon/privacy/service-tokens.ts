/**
 * How services begin their tokens, which they do so that scanners like this one find them. From their own documentation and
 * the prefixes gitleaks knows; kept as a table, for no maintained package of rules is quick and synchronous enough to run on
 * everything that is captured.
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
  'fio-u-',
];

/** Shapes without a beginning of their own, or with one too short to tell. */
const WHOLE = [
  'SG\\.[\\w-]{16,32}\\.[\\w-]{16,}',
  'SK[0-9a-f]{32}',
  'key-[0-9a-f]{32}',
  'dapi[0-9a-f]{32}',
  'secret_[A-Za-z0-9]{43}',
  '\\d{8,10}:AA[\\w-]{33}',
  '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{40,}',
  'discord(?:app)?\\.com/api/webhooks/\\d{10,}/[\\w-]{40,}',
  '(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,}={0,2}',
  '[\\w~.]{3}\\dQ~[\\w~.-]{31,34}',
  'EAAA[\\w-]{55,}',
  'pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}',
  'pat-(?:na|eu)\\d-[0-9a-f-]{36}',
  'sk\\.eyJ[\\w-]{40,}\\.[\\w-]{16,}',
];

/** One of a kind: secret wherever it stands. */
export const SERVICE_SECRET = new RegExp(`\\b(?:${WHOLE.join('|')})`, 'g');
/** Secret if what follows its beginning looks drawn: `xai-settings-of-the-page` is a name. */
export const SERVICE_TOKEN = new RegExp(`(\\b)((?:${BEGINNINGS.join('|')})[A-Za-z0-9_.=+/-]{20,})`, 'g');
