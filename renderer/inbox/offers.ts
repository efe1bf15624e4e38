import type { Call } from '#contract/methods.ts';
import type { PublishOffer } from '#contract/team.ts';

/** Publishes a note or keeps it here, and returns the way back: what was published is retracted everywhere. */
export async function decideOffer(
  call: Call,
  { space, id }: PublishOffer,
  publishes: boolean,
): Promise<() => Promise<undefined>> {
  if (publishes) await call('team.publish', { space, ids: [id] });
  else await call('team.decline', { space, id });
  return async () => {
    if (publishes) await call('team.retract', { space, id });
    else await call('team.decline', { space, id, declined: false });
    return undefined;
  };
}
