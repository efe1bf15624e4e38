import { tick } from 'svelte';

/** For a field that opened on request: `autofocus` yields to a row that was clicked before. */
export const takesFocus = (field: HTMLElement): void => field.focus();

/** For the answer that a dialog expects: the dialog opens after what is in it, and would choose for itself. */
export const takesFocusOnceOpen = (field: HTMLElement): void => void tick().then(() => field.focus());
