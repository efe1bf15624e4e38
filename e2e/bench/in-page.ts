// These functions run inside the measured page. Each must be self-contained, because it is sent there as text.

declare global {
  interface Window {
    /**
     * From a key to each repaint of the list, in milliseconds, before and after the refined answer was requested; and
     * how many rows the first answer had.
     */
    painted?: { first: number[]; refined: number[]; rows: number };
    /** Time when the refined answer was requested; Infinity before. */
    refinedFrom?: number;
    /** From the navigation to the first painted rows, in milliseconds. */
    firstRows?: Promise<number>;
  }
}

/** Notes when the first rows are painted. To be run before the page's own scripts. */
export function watchFirstRows(): void {
  window.firstRows = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('main [role=option]')) return;
      observer.disconnect();
      // A message posted in a frame arrives right after that frame is painted.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now());
        port2.postMessage('');
      });
    });
    observer.observe(document, { childList: true, subtree: true });
  });
}

/** From the change of the address until the page with this heading is painted with its content. */
export function timeSwitch([hash, heading]: readonly [hash: string, heading: string]): Promise<number> {
  return new Promise((resolve) => {
    const start = performance.now();
    const observer = new MutationObserver(() => {
      const isThere = document.querySelector('main h1')?.textContent.trim() === heading;
      if (!isThere || document.querySelector('main [aria-label="Loading"]')) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - start);
        port2.postMessage('');
      });
    });
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributes: true,
      characterData: true,
    });
    location.hash = hash;
  });
}

/** Records, from the next key on, when rows change and are painted. */
export function watchTheList(list: string): void {
  const painted = { first: [] as number[], refined: [] as number[], rows: 0 };
  window.painted = painted;
  const { send } = WebSocket.prototype;
  if (window.refinedFrom === undefined) {
    WebSocket.prototype.send = function (message) {
      if (typeof message === 'string' && message.includes('recall.search'))
        window.refinedFrom = performance.now();
      send.call(this, message);
    };
  }
  window.refinedFrom = Infinity;
  let pressedAt = Infinity;
  window.addEventListener('keydown', (event) => (pressedAt = event.timeStamp), { once: true, capture: true });
  const target = document.querySelector(list)?.parentElement ?? document.body;
  let isWaiting = false;
  const observer = new MutationObserver(() => {
    if (isWaiting || pressedAt === Infinity) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        isWaiting = false;
        const now = performance.now();
        const isFirst = now < (window.refinedFrom ?? Infinity);
        painted[isFirst ? 'first' : 'refined'].push(now - pressedAt);
        if (isFirst) painted.rows = document.querySelectorAll(`${list} [role=option]`).length;
      };
      port2.postMessage('');
    });
  });
  observer.observe(target, { childList: true, characterData: true, subtree: true });
  setTimeout(() => observer.disconnect(), 680);
}

/** Scrolls through the whole list in four seconds, one step per frame, and returns the duration of each frame. */
export async function measureScrolling(list: string): Promise<number[]> {
  const viewport = document.querySelector(list);
  if (!viewport) throw new Error('there is no list to scroll');
  const LENGTH = 4_000;
  const frames: number[] = [];
  const start = performance.now();
  for (let before = start; before - start < LENGTH;) {
    const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    viewport.scrollTop = ((now - start) / LENGTH) * viewport.scrollHeight;
    frames.push(now - before);
    before = now;
  }
  return frames.slice(1);
}
