/** One group of bars: what it is about, and each bar with its value. */
export interface Group {
  name: string;
  bars: ReadonlyArray<{ name: string; value: number }>;
}

const WIDTH = 720; // pixels
const LABEL = 210;
const BAR = 18;
const GAP = 6;
const HEAD = 26;
const COLOURS = ['#8b97a8', '#3b76e1', '#7aa7f0', '#38a169'];

/** Horizontal bars as an SVG picture that reads on a light and on a dark page. */
export function barChart(title: string, unit: string, groups: readonly Group[]): string {
  const longest = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)), 1);
  const scale = (WIDTH - LABEL - 90) / longest;
  let y = HEAD + 10;
  const rows: string[] = [];
  for (const { name, bars } of groups) {
    rows.push(text(0, y + 14, name, 'font-weight="600"'));
    y += HEAD;
    bars.forEach(({ name: label, value }, at) => {
      const width = Math.max(1, value * scale);
      rows.push(
        text(LABEL - 8, y + 13, label, 'text-anchor="end"'),
        `<rect x="${LABEL}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" rx="3" fill="${COLOURS[at % COLOURS.length]}"/>`,
        text(LABEL + width + 6, y + 13, `${value.toFixed(1)} ${unit}`),
      );
      y += BAR + GAP;
    });
    y += GAP;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" role="img" aria-label="${escaped(title)}" font-family="system-ui, sans-serif" font-size="13" fill="#6b7688">
${[text(0, 16, title, 'font-size="15" font-weight="600"'), ...rows].join('\n')}
</svg>
`;
}

const text = (x: number, y: number, content: string, more = '') =>
  `<text x="${x.toFixed(1)}" y="${y}" ${more}>${escaped(content)}</text>`;

const escaped = (content: string) =>
  content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
