import type { Call } from '#contract/methods.ts';

const CHANNEL = 'reflect.tabs';
const ASKS = 'May I have a link?';
const ANSWERED_WITHIN_MS = 1_000;

/** Lets in tabs of this origin that no one-time link opened, such as those of a copied address. */
export function admitTabs(call: Call): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    if (data !== ASKS) return;
    call('ui.code', {}).then(
      ({ url }) => channel.postMessage(url),
      () => undefined, // another tab may answer, or none
    );
  };
}

/** A one-time link to this very place, if another tab has the right to make one. */
export function linkFromAnotherTab(): Promise<string | null> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise<string | null>((resolve) => {
    setTimeout(() => resolve(null), ANSWERED_WITHIN_MS);
    channel.onmessage = ({ data }) => {
      const link = data === ASKS ? null : URL.parse(String(data));
      if (link?.origin !== location.origin) return;
      link.hash = location.hash;
      resolve(link.href);
    };
    channel.postMessage(ASKS);
  }).finally(() => channel.close());
}
