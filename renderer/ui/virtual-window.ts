/** The rows of a long list to draw; `end` is one past the last. */
export type Range = { first: number; end: number };

const OVERSCAN = 6; // rows drawn beyond each edge, so that a fast scroll meets no blank

export function visibleRange(scrollTop: number, viewport: number, rowHeight: number, count: number): Range {
  const first = Math.max(0, Math.floor(scrollTop / rowHeight) - OVERSCAN);
  const end = Math.min(count, Math.ceil((scrollTop + viewport) / rowHeight) + OVERSCAN);
  return { first: Math.min(first, Math.max(0, end)), end: Math.max(0, end) };
}

/** The least scrolling that brings a row wholly into view; a row far away comes to the middle. */
export function scrollTopToShow(
  index: number,
  scrollTop: number,
  viewport: number,
  rowHeight: number,
): number {
  const top = index * rowHeight;
  if (top < scrollTop - viewport || top > scrollTop + 2 * viewport)
    return Math.max(0, top - (viewport - rowHeight) / 2);
  if (top < scrollTop) return top;
  if (top + rowHeight > scrollTop + viewport) return top + rowHeight - viewport;
  return scrollTop;
}

/** The scroll position that keeps the row being read in place when rows above it are added or removed. */
export function anchoredScrollTop(
  scrollTop: number,
  rowHeight: number,
  indexBefore: number,
  indexAfter: number,
): number {
  // At the very top new rows are meant to be seen.
  if (scrollTop < rowHeight || indexAfter < 0) return scrollTop;
  return Math.max(0, scrollTop + (indexAfter - indexBefore) * rowHeight);
}
