import { AsyncLocalStorage } from 'node:async_hooks';

/** How a request is answered: at once, because an agent waits, or briefly, because it has waited long. */
interface Circumstances {
  inHurry: boolean;
  waitedMs: number;
}

const USUAL: Circumstances = { inHurry: false, waitedMs: 0 };
const circumstances = new AsyncLocalStorage<Circumstances>();

/** Runs work that an agent waits for: whatever it asks of a model goes before all else. */
export const inHurry = <T>(work: () => T): T => circumstances.run({ ...USUAL, inHurry: true }, work);

/** Runs work that has waited for its turn, so that it leaves out what would make the others wait longer. */
export const afterWaiting = <T>(waitedMs: number, work: () => T): T =>
  circumstances.run({ ...USUAL, waitedMs }, work);

export const isInHurry = (): boolean => (circumstances.getStore() ?? USUAL).inHurry;

/** How long the request at hand waited for its turn, in milliseconds. */
export const waitedMs = (): number => (circumstances.getStore() ?? USUAL).waitedMs;
