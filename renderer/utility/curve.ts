/** The points of a line through values from 0 to 1, in a box with some room around it. */
export function pointsOf(
  values: readonly number[],
  width: number,
  height: number,
  margin: number,
): { x: number; y: number; value: number }[] {
  const across = Math.max(1, values.length - 1);
  return values.map((value, index) => ({
    x: margin + (width - 2 * margin) * (values.length === 1 ? 0.5 : index / across),
    y: margin + (height - 2 * margin) * (1 - Math.min(1, Math.max(0, value))),
    value,
  }));
}

export const asPath = (points: readonly { x: number; y: number }[]): string =>
  points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
