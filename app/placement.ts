import type { Bounds, Point } from './preferences.ts';

const MUST_SHOW_PX = 80;

/** Whether enough of a window would be on some screen to grab it: screens get unplugged. */
export function isReachable(window: Bounds, screens: Bounds[]): boolean {
  return screens.some((screen) => {
    const width = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x);
    const height = Math.min(window.y + window.height, screen.y + screen.height) - Math.max(window.y, screen.y);
    return width >= MUST_SHOW_PX && height >= MUST_SHOW_PX && window.y >= screen.y - MUST_SHOW_PX;
  });
}

/** Centred, a fifth down: where the eye already is, with room for results below. */
export function quickSearchPlace(width: number, screen: Bounds): Point {
  return { x: Math.round(screen.x + (screen.width - width) / 2), y: Math.round(screen.y + screen.height / 5) };
}
