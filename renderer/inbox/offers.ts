import type { Call } from '#contract/methods.ts';
import type { PublishOffer } from '#contract/team.ts';
import { doReversibly, type Reversal } from '../frame/undo.svelte.ts';

/** Publishes a note or keeps it here, and returns the way back: what was published is retracted everywhere. */
export function decideOffer(call: Call, { space, id }: PublishOffer, publishes: boolean): Promise<Reversal> {
  return publishes
    ? doReversibly(
        () => call('team.publish', { space, ids: [id] }),
        () => call('team.retract', { space, id }),
      )
    : doReversibly(
        () => call('team.decline', { space, id }),
        () => call('team.decline', { space, id, declined: false }),
      );
}
