import { isDrawn, looksRandom } from './looks-random.ts';
import { isLiteral, isPlaceholder, looksChosen } from './rule.ts';

/** `X25519.KeyPair`, `ED25519_SIZE`, `/tmp/a1b2c3`, `A-Za-z0-9` */
const IS_REFERENCE =
  /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\.[A-Za-z_]{3,}$|^[A-Z][A-Z\d]*(?:_[A-Z\d]{2,})+$|^[.~]?\/(?![^\s]*[+=])[\w.-]+(?:\/|$)|^\.\w|^@[\w-]+[./]|^AC[\da-f]{32}$|\.\.|&[\w-]+=|^u00[\da-f]{2}|a-z|A-Z|0-9|^![a-z]+$|![01]$|^this\.|\.#|^[\^~]?v?\d+(?:\.\d+)+(?:-\w+)?$|^(?:sha|md)\d+\.\w+$/;

/** How little a value looks like anything but a secret. */
export function strengthOf(value: string): 'none' | 'chosen' | 'random' | 'strong' | 'drawn' {
  if (IS_REFERENCE.test(value) || isPlaceholder(value) || !isLiteral(value)) return 'none';
  const isRandom =
    value.length >= 8 && (looksRandom(value) || /^(?=.*\d)(?=.*[a-f])[\da-f]{16,}$/.test(value));
  const letters = value.replace(/[!#$%^&*?]/g, '');
  if (isRandom && /^(?!AAAA|0x)[\w+/-]{12,}={0,2}$/.test(letters) && isDrawn(letters)) return 'drawn';
  const isChosen = looksChosen(value.replace(/[!?]+$/, ''));
  if (isChosen && isStrong(value, isRandom)) return 'strong';
  return isRandom ? 'random' : isChosen ? 'chosen' : 'none';
}

/** Letters, a digit and a sign, or letters and digits in an order that no name has. */
function isStrong(value: string, isRandom: boolean): boolean {
  const core = value.replace(/^[^\p{L}\d]+/u, '');
  if (core.length < 8 || !/\d/.test(core)) return false;
  if (/@[\w-]+\.|@[\^~]?\d|%[0-9A-F]{2}/.test(core)) return false; // an address, a version, an escaped text
  return (
    /[!#$%^&*?~+@]/.test(core) ||
    (/[A-Z]/.test(core) && /[a-z]/.test(core) && isRandom) ||
    (/^(?![\da-f]+$)\w{10,}$/i.test(core) && /[a-z]\d+[a-z]+\d+[a-z]/i.test(core)) // dr4gon21meadow
  );
}
