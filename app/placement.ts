import type { Bounds, Point } from './preferences.ts';

type Size = Pick<Bounds, 'width' | 'height'>;

const MUST_SHOW_PX = 80;

/** True when enough of a window would be on some screen to grab it: screens get unplugged. */
export function isReachable(window: Bounds, screens: Bounds[]): boolean {
  return screens.some((screen) => {
    const width = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x);
    const height =
      Math.min(window.y + window.height, screen.y + screen.height) - Math.max(window.y, screen.y);
    return width >= MUST_SHOW_PX && height >= MUST_SHOW_PX && window.y >= screen.y - MUST_SHOW_PX;
  });
}

/** The last position, else centred and a fifth down, near where the eye is; fully on the screen if it fits. */
export function quickSearchPlace({ width, height }: Size, screen: Bounds, put: Point | null): Point {
  const wanted = put ?? { x: (screen.width - width) / 2, y: screen.height / 5 };
  const within = (offset: number, room: number) => Math.round(Math.max(0, Math.min(offset, room)));
  return {
    x: screen.x + within(wanted.x, screen.width - width),
    y: screen.y + within(wanted.y, screen.height - height),
  };
}
