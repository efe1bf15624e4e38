import { AsyncLocalStorage } from 'node:async_hooks';

const hurried = new AsyncLocalStorage<true>();

/** Runs work that an agent waits for with its turn: whatever it asks of a model goes before all else that waits there. */
export const inHurry = <T>(work: () => T): T => hurried.run(true, work);

export const isInHurry = (): boolean => hurried.getStore() ?? false;
