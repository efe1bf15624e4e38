// What runs inside the page that is measured: each function must stand alone, for it is sent there as text.

declare global {
  interface Window {
    /** Milliseconds from a key to each time the list was painted anew: before the refined answer was asked for, and after. */
    painted?: { first: number[]; refined: number[] };
    /** When the refined answer was asked for; Infinity while it was not. */
    refinedFrom?: number;
  }
}

/** From the next key on, notes when rows change and are painted. */
export function watchTheList(list: string): void {
  const painted = { first: [] as number[], refined: [] as number[] };
  window.painted = painted;
  const { send } = WebSocket.prototype;
  if (window.refinedFrom === undefined) {
    WebSocket.prototype.send = function (message) {
      // The quick answer asks for words alone.
      if (String(message).includes('recall.search') && !String(message).includes('RECALL_VECTOR_ARM'))
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
    // A message posted in a frame is heard right after it was painted.
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

/** For two seconds: how long letters waited to be taken in, and how long each frame took. */
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

/** Through the whole list in four seconds, a step a frame; gives how long each frame took. */
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
