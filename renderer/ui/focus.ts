/** For a field that opened because somebody asked to type: `autofocus` yields to a row that was clicked before. */
export const takesFocus = (field: HTMLElement): void => field.focus();
