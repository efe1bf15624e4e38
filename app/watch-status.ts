import { createClient } from '#contract/methods.ts';
import type { DaemonConnection } from './daemon-connection.ts';
import type { TrayView } from './tray-state.ts';

const SETTLE_MS = 300;
const RECENT = 5;

type Line = Pick<DaemonConnection, 'connected' | 'problem' | 'send' | 'onEvent' | 'onLink'>;

/** Tells how the daemon fares whenever something happened there, once per burst of events; idle, it asks nothing. */
export function watchStatus(connection: Line, show: (view: TrayView) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const refresh = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      // An answer may still be on its way when the app quits and its tray is gone.
      void look(connection).then((view) => stopped || show(view));
    }, SETTLE_MS);
  };
  const stopEvents = connection.onEvent(refresh);
  const stopLink = connection.onLink(refresh);
  show(away(connection));
  return () => {
    stopped = true;
    clearTimeout(timer);
    stopEvents();
    stopLink();
  };
}

const away = ({ problem }: Line): TrayView => ({ status: undefined, problem, recent: [] });

async function look(connection: Line): Promise<TrayView> {
  if (!connection.connected) return away(connection);
  const call = createClient(connection.send);
  try {
    const [status, recent] = await Promise.all([
      call('status', {}),
      call('capture.moments', { limit: RECENT }),
    ]);
    return { status, problem: null, recent };
  } catch {
    return away(connection); // the daemon went away between the two; its return is an event
  }
}
