// These functions run inside the measured page. Each must be self-contained, because it is sent there as text.

declare global {
  interface Window {
    /** Milliseconds from a key to each repaint of the list, before and after the refined answer was requested. */
    painted?: { first: number[]; refined: number[] };
    /** Time when the refined answer was requested; Infinity before. */
    refinedFrom?: number;
  }
}

/** Records, from the next key on, when rows change and are painted. */
export function watchTheList(list: string): void {
  const painted = { first: [] as number[], refined: [] as number[] };
  window.painted = painted;
  const { send } = WebSocket.prototype;
  if (window.refinedFrom === undefined) {
    WebSocket.prototype.send = function (message) {
      // The quick answer requests a word search only.
      const text = typeof message === 'string' ? message : '';
      if (text.includes('recall.search') && !text.includes('RECALL_VECTOR_ARM'))
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
    // A message posted in a frame arrives right after that frame is painted.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        isWaiting = false;
        const now = performance.now();
        painted[now < (window.refinedFrom ?? Infinity) ? 'first' : 'refined'].push(now - pressedAt);
      };
      port2.postMessage('');
    });
  });
  observer.observe(target, { childList: true, characterData: true, subtree: true });
  setTimeout(() => observer.disconnect(), 680);
}

/** Measures for two seconds how long letters wait for the field and how long each frame takes. */
export async function measureTyping(field: string): Promise<{ waits: number[]; frames: number[] }> {
  const waits: number[] = [];
  const frames: number[] = [];
  const input = document.querySelector<HTMLInputElement>(field);
  input?.focus();
  input?.addEventListener('input', (event) => waits.push(performance.now() - event.timeStamp));
  const end = performance.now() + 2_000;
  for (let before = performance.now(); before < end;) {
    const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    frames.push(now - before);
    before = now;
  }
  return { waits, frames: frames.slice(1) };
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
