/** A tool's call as a person reads it: its name, then line by line what it was given. A result stays as it is. */
export function toolCallText(text: string): string {
  const start = text.indexOf(' {');
  if (start < 1 || /\s/.test(text.slice(0, start))) return text;
  const given = parsed(text.slice(start));
  if (given === null) return text;
  const lines = Object.entries(given).map(([name, value]) =>
    typeof value === 'string' ? `${name}: ${value}` : `${name}: ${JSON.stringify(value)}`,
  );
  return [text.slice(0, start), ...lines].join('\n');
}

/** Null for what only looks like JSON. A long value is cut in the transcript, and the JSON with it. */
function parsed(text: string): object | null {
  for (const whole of [text, `${text.replace(/\\$/, '')}…"}`]) {
    try {
      return JSON.parse(whole) as object; // it begins with a brace
    } catch {
      continue;
    }
  }
  return null;
}
