const STEP = 0.5;
const [SMALLEST, LARGEST] = [-3, 5];

/** A key as Electron reports it. */
interface PressedKey {
  type: string;
  key: string;
  control: boolean;
  meta: boolean;
  alt: boolean;
}

/** The zoom after a key, in Chromium's steps; undefined for other keys. `=` is the plus key without Shift. */
export function zoomAfter(zoom: number, pressed: PressedKey, system: NodeJS.Platform): number | undefined {
  const isCommand = system === 'darwin' ? pressed.meta : pressed.control;
  if (pressed.type !== 'keyDown' || !isCommand || pressed.alt) return undefined;
  if (pressed.key === '0') return 0;
  if (pressed.key === '+' || pressed.key === '=') return Math.min(LARGEST, zoom + STEP);
  return pressed.key === '-' ? Math.max(SMALLEST, zoom - STEP) : undefined;
}
