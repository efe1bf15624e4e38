export const quickSearchWords = {
  label: 'Quick search',
  placeholder: 'What did we learn about…',
  results: 'Learnings',
  hintEmpty: 'Type to search every project.',
  nothing: 'Nothing relevant.',
  copy: 'copy the rule',
  open: 'open',
  detail: 'detail',
  back: 'back',
  hide: 'hide',
  copied: 'Copied',
};
