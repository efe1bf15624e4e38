const TYPING = new Set(['INPUT', 'TEXTAREA', 'SELECT']);
const NOT_TEXT = new Set(['checkbox', 'radio', 'range', 'button']);
const MOVES_SLIDER = /^(Arrow|Page|Home$|End$)/;

export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target' | 'defaultPrevented'
>;

export const isMac = (): boolean => /mac/i.test(navigator.platform);

export const isCommand = (event: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey'>): boolean =>
  (isMac() ? event.metaKey : event.ctrlKey) && !event.altKey;

/** The name a command binds, or null when the key belongs to the focused element. */
export function pressedKey(event: KeyPress): string | null {
  if (event.defaultPrevented || event.altKey) return null;
  if (isCommand(event)) return `Mod+${event.key.toLowerCase()}`;
  if (event.ctrlKey || event.metaKey) return null;
  return document.querySelector('dialog[open]') || belongsToFocus(event) ? null : event.key;
}

/** The key as a command is bound to it, wherever it was pressed; null for one that cannot be a command alone. */
export function rebindableKey(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
): string | null {
  if (['Shift', 'Control', 'Meta', 'Alt', 'AltGraph', 'Dead', 'CapsLock'].includes(event.key)) return null;
  if (isCommand(event)) return `Mod+${event.key.toLowerCase()}`;
  return event.ctrlKey || event.metaKey || event.altKey ? null : event.key;
}

/** True where keys type text, or choose. */
export function takesTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && NOT_TEXT.has(target.type)) return false;
  return TYPING.has(target.tagName) || target.isContentEditable;
}

/** Single keys act on the page, unless they are typed or work the focused control. */
function belongsToFocus({ key, target }: KeyPress): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && target.type === 'range' && MOVES_SLIDER.test(key)) return true;
  if (takesTyping(target)) return true;
  return (key === 'Enter' || key === ' ') && target.closest('button, a, summary') !== null;
}

/** The keys of every form: save, and leave. */
export function onEditKeys({
  save,
  discard,
}: {
  save: () => void;
  discard: () => void;
}): (event: KeyboardEvent) => void {
  return (event) => {
    if (isCommand(event) && (event.key === 'Enter' || event.key.toLowerCase() === 's')) save();
    else if (event.key === 'Escape') discard();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

const NAMES: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '⏎',
  Escape: 'Esc',
  '-': '−',
};

/** The modifier of shortcuts on this system, for hints. */
export const commandKey = (): string => (isMac() ? '⌘' : 'Ctrl');

/** A key as people read it: `Mod+k` is “⌘ K” or “Ctrl K”. */
export function keyName(key: string): string {
  if (!key.startsWith('Mod+')) return NAMES[key] ?? key;
  const rest = key.slice('Mod+'.length);
  return `${commandKey()} ${NAMES[rest] ?? (rest.length === 1 ? rest.toUpperCase() : rest)}`;
}
