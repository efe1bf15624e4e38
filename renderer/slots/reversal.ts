import type { Call } from '#contract/methods.ts';
import type { Slot } from '#contract/slots.ts';
import type { Reversal } from '../frame/undo.svelte.ts';

/** Reverses the newest change of the slot, looked up now: later ones may be an agent's. */
export async function reverseNewest(
  call: Call,
  { project, name }: Pick<Slot, 'project' | 'name'>,
): Promise<Reversal | null> {
  const [newest] = await call('slots.history', { project, name });
  if (!newest) return null;
  return async () => {
    await call('slots.undo', { changeId: newest.id });
    return reverseNewest(call, { project, name });
  };
}
