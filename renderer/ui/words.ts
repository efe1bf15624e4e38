export const commonWords = {
  all: 'All',
  cancel: 'Cancel',
  close: 'Close',
  copied: 'Copied',
  edit: 'Edit',
  noProject: 'No project',
  preview: 'Preview',
  reset: 'Reset',
  retry: 'Try again',
  save: 'Save',
  saving: 'Saving…',
  undo: 'Undo',
  unsaved: 'Unsaved changes',
  discard: 'Discard changes',
  discarded: 'Changes discarded.',
  write: 'Write',
  resize: 'Resize the detail',
  loading: 'Loading',
  removed: 'removed',
  added: 'added',
};

export const themeNames = { system: 'System', light: 'Light', dark: 'Dark' };
