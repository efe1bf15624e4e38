/** What a key does on a screen; keys are named as `KeyboardEvent.key` names them. */
export type KeyBindings = Record<string, () => void>;

const TYPING = new Set(['INPUT', 'TEXTAREA', 'SELECT']);
const NOT_TEXT = new Set(['checkbox', 'radio', 'range', 'button']);

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && NOT_TEXT.has(target.type)) return false;
  return TYPING.has(target.tagName) || target.isContentEditable;
}

/** Single keys act on the page, unless someone is typing, a dialog is open or a modifier says otherwise. */
export function onKeys(bindings: KeyBindings): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
    // Enter and space belong to the control that has the focus.
    if (
      (event.key === 'Enter' || event.key === ' ') &&
      event.target instanceof Element &&
      event.target.closest('button, a, summary')
    )
      return;
    const act = Object.hasOwn(bindings, event.key) ? bindings[event.key] : undefined;
    if (!act) return;
    event.preventDefault();
    act();
  };
}

export const isMac = (): boolean => /mac/i.test(navigator.platform);

/** The modifier of shortcuts on this system, for hints. */
export const commandKey = (): string => (isMac() ? '⌘' : 'Ctrl');

export const isCommand = (event: KeyboardEvent | MouseEvent): boolean =>
  (isMac() ? event.metaKey : event.ctrlKey) && !event.altKey;
