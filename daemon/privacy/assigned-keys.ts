import { isLiteral, isPlaceholder, looksAssigned, type Rule } from './rule.ts';

/** Words of code and prose, a path, an address, a name of a variable: no key. */
const IS_NAME =
  /^[a-z]+(?:[_-][a-z]+)*$|^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+(?<!\d{4})$|^[.~]?\/|:\/\/|^[\w-]+\.[a-z]{2,6}\/|^[\w$]+(?:\.[A-Za-z_]\w*)+$|^(?:true|false|null|none)$|=>|^[A-Za-z_]+::/;
/** `accessToken`, `Uint8Array`: without quotes these are code. */
const IS_CODE = /^[a-z]+(?:[A-Z][a-z\d]*)+$|^[A-Z][a-z]+(?:\d*[A-Z][a-z]+)*$|^[a-z]+\d?$|[)(\]]/;
const HOLDS_NO_KEY =
  /public_|(?:public|pub|cache|sort|partition|primary|foreign|row|site|idempotency|max|min|num|limit)_?(?:key|token)/i;

const isKey = (value: string, lead: string): boolean =>
  !IS_NAME.test(value) && isLiteral(value) && !HOLDS_NO_KEY.test(lead);

/** Values in the place of a key or token, whatever they look like. */
export const ASSIGNED_KEYS: readonly Rule[] = [
  {
    // `HEROKU_API_KEY=x`, `${API_TOKEN:-x}`
    kind: 'credential',
    needs: ['token=', 'key=', 'token:-', 'key:-', '_pat='],
    pattern: /(\b[A-Z\d_]{0,40}(?:TOKEN|KEY|_PAT)(?:=|:-)["']?)([^\s"'`,;&\\|<>(){}$]{8,200})/g,
    isSecret: isKey,
  },
  {
    // `api_key: x`, `"accessToken": "x"`, at the end of a line
    kind: 'credential',
    needs: ['key', 'token'],
    pattern:
      /((?:(?:api|access|licen[cs]e|auth|secret|private|client|app(?:lication)?|deploy|gitlab|github|slack)[_ -]?key|token)\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?)([^\s"'`,;\\]{16,200})(?=\\?["']?[,;]?\s{0,3}(?:#.{0,80})?$)/gim,
    isSecret: (value, lead) =>
      isKey(value, lead) &&
      (/["']$/.test(lead) || !IS_CODE.test(value)) &&
      (value.length >= 24 || /\d/.test(value) || /[a-z][A-Z]{2}|[A-Z]{2}[a-z]/.test(value)),
  },
  {
    // `Authorization: Bearer x`
    kind: 'credential',
    needs: ['authorization'],
    pattern:
      /(\bauthorization\\?["']?[\s:=]{1,3}\\?["']?(?:bearer|token|basic|apikey)\s)([\w.~+/=-]{8,4000})/gi,
    isSecret: (value) => looksAssigned(value) && !isPlaceholder(value),
  },
];
