import type { Colours } from './draw.ts';
import { FAMILIES } from './families.ts';

const TOKENS = {
  text: '--text',
  textSoft: '--text-soft',
  surface: '--surface',
  accent: '--accent',
  node: '--graph-node',
} as const;

/** A canvas does not follow the page: it is given each token as it is now. */
export function readColours(canvas: HTMLElement): Colours {
  const style = getComputedStyle(canvas);
  const before = canvas.style.color;
  const resolved = (token: string) => {
    // As a colour the value is resolved for the theme; as a custom property it would be what is written.
    canvas.style.color = `var(${token})`;
    return style.color;
  };
  const named = Object.fromEntries(
    [...FAMILIES.map((family) => [family, `--edge-${family}`] as const), ...Object.entries(TOKENS)].map(
      ([name, token]) => [name, resolved(token)],
    ),
  );
  canvas.style.color = before;
  return { ...named, font: style.fontFamily } as Colours; // every family and token has just been read
}
