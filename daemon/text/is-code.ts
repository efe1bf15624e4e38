const MODIFIERS = 'export|default|public|private|protected|static|final|abstract|async|pub|inline';
const DECLARATION = new RegExp(
  [
    String.raw`^\s*(?:(?:${MODIFIERS})\s+)*(?:def|class|function|func|fn|interface|struct|enum|trait|impl)\b[^.]*[({:]`,
    String.raw`^\s*(?:export\s+)?(?:const|let|var)\s+\w+\s*(?::[^=]+)?=`,
    String.raw`^\s*@\w+(?:\.\w+)*(?:\(.*\))?\s*$`,
    String.raw`^\s*#include\b`,
  ].join('|'),
);

/** True for a text whose first line declares a function, a class or a variable. */
export const isCode = (text: string): boolean => DECLARATION.test(text.split('\n', 1)[0] ?? '');
